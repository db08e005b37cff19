// Linear models of several classes.
#include <fmt/format.h>

#include "drawn.hpp"
#include "recorder.hpp"

namespace medlar::bench {

void record_classes(Recorder& record) {
  struct Named {
    const char* name;
    Drawing how;
  };
  for (const auto& [name, how] :
       {Named{"three", {.examples = 90, .features = 8, .classes = 3, .seed = 61}},
        {"five wide", {.examples = 50, .features = 60, .classes = 5, .seed = 62}},
        {"four sparse", {.examples = 70, .features = 40, .classes = 4, .zeros = 0.7, .weighted = true, .seed = 63}}}) {
    const Dataset data = drawn(how);
    for (const char* margin : {"exponential", "laplace", "gaussian", "hinge"}) {
      for (const char* p0 : {"1", "0.05", "1e-4"}) {
        for (const char* bias : {"flat", "none", "0.7"}) {
          record.fit(fmt::format("classes/{}", name), data,
                     fmt::format("task=classify margin={} p0={} bias={}", margin, p0, bias));
        }
      }
    }
    for (const char* words : {"solver=ascent", "solver=newton", "class-weight=balanced", "expand=quadratic p0=1e-3",
                              "scale=none", "c=20", "c=1.5", "prior-variance=0.1", "precision=float"}) {
      record.fit(fmt::format("classes/{}", name), data, fmt::format("task=classify {}", words));
    }
    for (const int size : {2, 5}) {
      Settings settings = settings_from("task=classify p0=0.02");
      take_named_groups(settings.groups);
      for (int i = 0; i < 8; ++i) {
        settings.feature_group.entries.emplace_back(fmt::format("f{}", i), fmt::format("g{}", i / size));
      }
      record.fit(fmt::format("classes/{} groups of {}", name, size), data, settings);
    }
  }
  const Dataset large = drawn({.examples = 2000, .features = 40, .classes = 4, .seed = 64});
  for (const char* words :
       {"p0=1", "p0=1e-3", "p0=0.1 margin=gaussian", "p0=1e-3 c=20", "p0=1e-2 margin=laplace bias=1"}) {
    record.fit("classes/large", large, fmt::format("task=classify {}", words));
  }
}

}  // namespace medlar::bench
