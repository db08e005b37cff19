// Generative models: every family for classes and for anomalies, switches, offsets, trees, gaps.
#include <fmt/format.h>

#include "drawn.hpp"
#include "recorder.hpp"

namespace medlar::bench {
namespace {

struct Law {
  const char* family;
  const char* values;
};
const Law kLaws[] = {{"auto", "numbers"},          {"gaussian", "numbers"},      {"gaussian-diagonal", "numbers"},
                     {"gaussian-full", "numbers"}, {"multinomial", "counts"},    {"bernoulli", "bits"},
                     {"poisson", "counts"},        {"exponential", "durations"}, {"tree", "bits"}};

}  // namespace

void record_generative(Recorder& record) {
  for (const auto& [family, values] : kLaws) {
    for (const int classes : {2, 3}) {
      const Dataset data = drawn_values(values, classes, 60, 5, 101);
      const std::string name = fmt::format("generative/{} {}", values, classes);
      const std::string words = fmt::format("model=generative task=classify family={}", family);
      for (const char* more :
           {"", "calibration=left-out statistics-weight=0.1", "calibration=left-out statistics-weight=0",
            "calibration=left-out offsets=none", "calibration=left-out prior-strength=5",
            "calibration=left-out c=10 bias=none", "calibration=left-out bias=flat",
            "margin=hinge calibration=left-out", "switches=tied p0=0.1 calibration=left-out",
            "switches=per-class p0=0.01 calibration=left-out",
            "switches=tied switch-evidence=none p0=0.1 calibration=left-out"}) {
        record.fit(name, data, fmt::format("{} {}", words, more));
      }
      record.fit(name + " with gaps", drawn_values(values, classes, 60, 5, 102, 0.1), words);
    }
  }
  for (const auto& [family, values] : kLaws) {
    const Dataset large = drawn_values(values, 3, 600, 15, 105);
    record.fit("generative/large " + std::string(values), large,
               fmt::format("model=generative task=classify family={}", family));
  }
  const Dataset mixed = drawn_values("counts", 2, 80, 4, 103);
  record.fit("generative/mixed", mixed, "model=generative family=f0:poisson,f1:gaussian-diagonal task=classify");
  const Dataset wide = drawn_values("bits", 2, 60, 40, 104);
  record.fit("generative/wide", wide, "model=generative family=tree task=classify calibration=left-out");
}

void record_anomalies(Recorder& record) {
  for (const auto& [family, values] : kLaws) {
    const Dataset data = drawn_values(values, 1, 70, 5, 121), gaps = drawn_values(values, 1, 70, 5, 122, 0.1);
    const std::string words = fmt::format("model=generative task=anomaly family={}", family);
    for (const char* more :
         {"", "calibration=left-out", "alpha=0.2 calibration=left-out", "trim=0", "c=1", "prior-strength=4"}) {
      record.fit(fmt::format("anomalies/{}", values), data, fmt::format("{} {}", words, more));
    }
    record.fit(fmt::format("anomalies/{} with gaps", values), gaps, words);
  }
  record.fit("anomalies/wide", drawn_values("numbers", 1, 30, 45, 123),
             "model=generative task=anomaly family=gaussian-full");
}

}  // namespace medlar::bench
