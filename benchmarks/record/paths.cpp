// Paths over p0, c and the prior variance: each step is a warm start from the one before it.
#include <fmt/format.h>

#include "drawn.hpp"
#include "medlar/path.hpp"
#include "recorder.hpp"

namespace medlar::bench {
namespace {

std::vector<Line> lines_of(const std::string& name, const Path& path) {
  std::vector<Line> lines;
  for (const PathStep& step : path.steps) {
    lines.push_back(line_of(fmt::format("{} step {} at {:.6g}", name, lines.size() + 1, step.value), step));
  }
  return lines;
}

}  // namespace

void record_paths(Recorder& record) {
  struct Named {
    const char* name;
    const char* words;
    Drawing how;
  };
  for (const auto& [name, words, how] :
       {Named{"two", "task=classify", {.examples = 80, .features = 40, .seed = 161}},
        {"hinge", "margin=hinge", {.examples = 80, .features = 15, .seed = 162}},
        {"sparse", "task=classify bias=1", {.examples = 60, .features = 90, .zeros = 0.8, .seed = 163}},
        {"long", "task=classify c=20", {.examples = 800, .features = 120, .tied = 3, .seed = 166}},
        {"numbers", "task=regress", {.examples = 70, .features = 25, .classes = 0, .seed = 164}},
        {"wide numbers", "margin=svr", {.examples = 60, .features = 400, .classes = 0, .seed = 167}},
        {"weighted three",
         "task=classify margin=gaussian",
         {.examples = 300, .features = 40, .classes = 3, .weighted = true, .seed = 168}},
        {"three", "task=classify", {.examples = 75, .features = 20, .classes = 3, .seed = 165}}}) {
    const Dataset data = drawn(how);
    const Settings settings = settings_from(words);
    for (const char* swept : {"p0", "c", "prior-variance"}) {
      const auto over = word_as<decltype(Path::over)>(swept);
      const std::string even = fmt::format("paths/{} over {}", name, swept);
      record.lines(even, [&] {
        return lines_of(even, fit_path(data, settings, over, even_values(usual_range(data, settings, over), 7)));
      });
      const std::string adaptive = fmt::format("paths/{} adaptive over {}", name, swept);
      record.lines(adaptive, [&] {
        return lines_of(adaptive, fit_adaptive_path(data, settings, over, usual_range(data, settings, over), 8));
      });
    }
  }
}

}  // namespace medlar::bench
