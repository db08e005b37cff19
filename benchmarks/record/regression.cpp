// A real target: both margins with and without a tube, every prior over coefficients, every bias, every solver.
#include <fmt/format.h>

#include "drawn.hpp"
#include "recorder.hpp"

namespace medlar::bench {
namespace {

void margins_priors_biases(Recorder& record) {
  struct Named {
    const char* name;
    Drawing how;
  };
  for (const auto& [name, how] :
       {Named{"tall", {.examples = 150, .features = 8, .classes = 0, .seed = 21}},
        {"wide", {.examples = 30, .features = 90, .classes = 0, .seed = 22}},
        {"sparse", {.examples = 60, .features = 50, .classes = 0, .zeros = 0.8, .weighted = true, .seed = 23}}}) {
    const Dataset data = drawn(how);
    for (const char* margin : {"tube", "svr"}) {
      for (const char* epsilon : {"0", "0.05", "0.8"}) {
        for (const char* p0 : {"1", "0.1", "1e-4"}) {
          for (const char* bias : {"flat", "none", "2"}) {
            record.fit(fmt::format("regression/{}", name), data,
                       fmt::format("margin={} epsilon={} p0={} bias={}", margin, epsilon, p0, bias));
          }
        }
      }
    }
  }
}

void solvers(Recorder& record) {
  const Dataset data = drawn({.examples = 40, .features = 10, .classes = 0, .seed = 24});
  for (const char* solver : {"ascent", "primal-newton", "newton", "coordinate", "bounded-qp", "smo"}) {
    for (const char* margin : {"tube", "svr"}) {
      for (const char* p0 : {"1", "1e-2"}) {
        record.fit("regression/solvers", data, fmt::format("solver={} margin={} p0={} bias=1", solver, margin, p0));
      }
    }
  }
}

void others(Recorder& record) {
  const Dataset data = drawn({.examples = 80, .features = 9, .classes = 0, .tied = 3, .seed = 25});
  for (const char* words : {"", "expand=quadratic", "expand=powers:2", "expand=fourier:30 p0=1", "c=0.3", "c=5",
                            "c=500", "prior-variance=0.05", "scale=none", "precision=float", "tolerance=1e-10"}) {
    record.fit("regression/others", data, fmt::format("task=regress {}", words));
  }
  for (const char* margin : {"tube", "svr"}) {
    for (const int size : {2, 5}) {
      Settings settings = settings_from(fmt::format("margin={} p0=0.02", margin));
      take_named_groups(settings.groups);
      for (int i = 0; i < 9; ++i) {
        settings.feature_group.entries.emplace_back(fmt::format("f{}", i), fmt::format("g{}", i / size));
      }
      record.fit(fmt::format("regression/groups of {} margin={}", size, margin), data, settings);
    }
    Settings settings = settings_from(fmt::format("margin={} p0=1", margin));
    for (int i = 0; i < 9; i += 2) settings.prior_mean.entries.emplace_back(fmt::format("f{}", i), 0.5 - 0.2 * i);
    record.fit(fmt::format("regression/prior means margin={}", margin), data, settings);
  }
}

}  // namespace

void record_regression(Recorder& record) {
  margins_priors_biases(record);
  solvers(record);
  others(record);
}

}  // namespace medlar::bench
