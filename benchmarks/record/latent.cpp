// Latent models: unknown labels, beliefs, shifts, maps, directions and alignments.
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "drawn.hpp"
#include "medlar/fit.hpp"
#include "recorder.hpp"

namespace medlar::bench {
namespace {

class File {
 public:
  explicit File(const std::string& content)
      : path_(std::filesystem::temp_directory_path() / fmt::format("record-{}.csv", ::getpid())) {
    std::ofstream(path_) << content;
  }
  ~File() { std::filesystem::remove(path_); }
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

const char* const kModes[] = {"anchored", "literal"};

}  // namespace

void record_latent_labels(Recorder& record) {
  for (const int classes : {2, 3}) {
    const Dataset all = drawn({.examples = 70, .features = 5, .classes = classes, .seed = 141});
    const Dataset some = with_labels_of(all, 15);
    Dataset believed = all;
    believed.beliefs.assign(70, 0.8);
    for (const char* mode : kModes) {
      for (const char* more : {"p0=1", "p0=0.05", "p0=1 margin=gaussian", "p0=1 balance=none bias=1",
                               "p0=1 unlabelled-weight=1", "p0=1 prior-variance=0.1", "p0=1 margin=laplace c=10"}) {
        const std::string words = fmt::format("model=latent latent=labels task=classify latent-mode={} {}", mode, more);
        record.fit(fmt::format("latent/labels {}", classes), some, words);
        record.fit(fmt::format("latent/beliefs {}", classes), believed, words);
        const Dataset others = with_labels_of(drawn({.examples = 30, .features = 5, .seed = 142}), 0);
        const std::string name = fmt::format("latent/transduced {} {}", classes, words);
        record.lines(name, [&] {
          return std::vector<Line>{line_of(name, transduce(fit(some, settings_from(words)), others), others)};
        });
      }
    }
  }
}

void record_latent_signals(Recorder& record) {
  const Dataset three = drawn({.examples = 50, .features = 3, .seed = 143});
  for (const char* mode : kModes) {
    const std::string words = fmt::format("model=latent task=classify p0=1 latent-mode={} ", mode);
    for (const int classes : {2, 3}) {
      const Dataset signals = bumps(24, 15, classes, 144), sequences = steps(30, classes, 145);
      for (const char* more : {"latent=shifts:2", "latent=shifts:3 margin=gaussian", "latent=shifts:1 c=10"}) {
        record.fit(fmt::format("latent/bumps {}", classes), signals, words + "tolerance=1e-4 " + more);
      }
      for (const char* path : {"hmm", "segments", "left-to-right"}) {
        for (const char* statistics : {"auto", "levels", "squares", "changes", "roots"}) {
          const bool literal = std::string(mode) == "literal", levels = std::string(statistics) == "levels";
          if (literal && !levels && std::string(path) != "left-to-right") continue;  // one refusal is enough
          const std::string more =
              fmt::format("latent=alignment:2 state-path={} state-statistics={}", path, statistics);
          record.fit(fmt::format("latent/steps {}", classes), sequences, words + "tolerance=1e-4 " + more);
        }
      }
    }
    record.fit("latent/many bumps", bumps(150, 40, 2, 149), words + "latent=shifts:4 tolerance=1e-4");
    record.fit("latent/images", bumps(24, 16, 2, 146), words + "latent=shifts:1 image=4x4 rotation=10 tolerance=1e-4");
    for (const auto& [kind, content] :
         {std::pair{"matrices", "1,0,0\n0,1,0\n0,0,1\n0,1,0\n1,0,0\n0,0,1\n"}, {"translation", "f0,f1,f2\n1,1,0\n"}}) {
      const File file(content);
      const Settings settings = settings_from(fmt::format("{} latent={}:{}", words, kind, file.path()));
      record.fit(fmt::format("latent/{} {}", kind, mode), three, settings);
    }
  }
  for (const char* more :
       {"latent=alignment:1,2 state-statistics=levels", "latent=alignment:2 p0=0.01 state-path=hmm"}) {
    record.fit("latent/chosen steps", steps(30, 2, 147), fmt::format("model=latent task=classify {}", more));
    record.fit("latent/steps of numbers", steps(30, 0, 148), fmt::format("model=latent {}", more));
  }
}

}  // namespace medlar::bench
