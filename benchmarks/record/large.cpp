// Sets large enough for blocked systems, working sets and vectors of every width.
#include <fmt/format.h>

#include "drawn.hpp"
#include "recorder.hpp"

namespace medlar::bench {

void record_large(Recorder& record) {
  struct Named {
    const char* name;
    Drawing how;
  };
  for (const auto& [name, how] :
       {Named{"tall", {.examples = 6000, .features = 60, .seed = 41}},
        {"square", {.examples = 700, .features = 600, .seed = 42}},
        {"wide", {.examples = 120, .features = 6000, .tied = 3, .seed = 43}},
        {"sparse", {.examples = 1500, .features = 4000, .zeros = 0.99, .seed = 44}},
        {"weighted", {.examples = 2500, .features = 150, .zeros = 0.6, .weighted = true, .seed = 45}}}) {
    const Dataset data = drawn(how);
    for (const char* words :
         {"p0=1", "p0=1e-3", "p0=1e-5 c=20", "p0=1e-3 margin=hinge", "p0=1 margin=gaussian",
          "p0=0.1 margin=laplace bias=1", "p0=1e-2 c=200", "p0=1 solver=newton", "p0=1e-3 solver=ascent"}) {
      record.fit(fmt::format("large/{}", name), data, words);
    }
  }
  for (const auto& [name, how] : {Named{"tall numbers", {.examples = 3000, .features = 40, .classes = 0, .seed = 46}},
                                  {"wide numbers", {.examples = 100, .features = 2500, .classes = 0, .seed = 47}}}) {
    const Dataset data = drawn(how);
    for (const char* words : {"p0=1", "p0=1e-3", "p0=1e-5 c=3", "p0=1e-2 margin=svr"}) {
      record.fit(fmt::format("large/{}", name), data, fmt::format("task=regress {}", words));
    }
  }
}

}  // namespace medlar::bench
