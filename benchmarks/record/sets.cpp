// The sets of benchmarks/convergence that lie in data/, over its grid of p0 and c.
#include <fmt/format.h>

#include "medlar/io.hpp"
#include "recorder.hpp"

namespace medlar::bench {

void record_sets(Recorder& record) {
  const std::string folder = MEDLAR_DATA;
  for (const auto& [name, words] : {std::pair{"boston", ""}, {"splice", "positive=EI"}}) {
    const Dataset data = read_dataset(fmt::format("{}/{}.csv", folder, name));
    for (const char* p0 : {"1", "0.5", "0.1", "1e-2", "1e-3", "1e-5", "1e-8"}) {
      for (const char* c : {"2", "10", "100", "1e4"}) {
        record.fit(fmt::format("sets/{}", name), data, fmt::format("p0={} c={} {}", p0, c, words));
      }
    }
  }
  const Dataset splice = read_dataset(folder + "/splice.csv");
  for (const char* words : {"p0=1e-3", "p0=1", "model=generative", "model=generative family=tree calibration=left-out",
                            "positive=IE p0=1e-3 groups=none", "positive=IE class-weight=balanced"}) {
    record.fit("sets/splice of three", splice, words);
  }
}

}  // namespace medlar::bench
