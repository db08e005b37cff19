// Two labels: every margin, every prior over coefficients, every bias, every solver.
#include <fmt/format.h>

#include "drawn.hpp"
#include "recorder.hpp"

namespace medlar::bench {
namespace {

const char* const kMargins[] = {"exponential", "laplace", "gaussian", "hinge"};

struct Named {
  const char* name;
  Drawing how;
};

void margins_priors_biases(Recorder& record) {
  for (const auto& [name, how] : {Named{"tall", {.examples = 300, .features = 12, .seed = 1}},
                                  {"wide", {.examples = 40, .features = 200, .seed = 2}},
                                  {"sparse", {.examples = 80, .features = 150, .zeros = 0.85, .seed = 3}},
                                  {"weighted", {.examples = 90, .features = 20, .weighted = true, .seed = 4}},
                                  {"tied", {.examples = 70, .features = 40, .tied = 4, .seed = 5}}}) {
    const Dataset data = drawn(how);
    for (const char* margin : kMargins) {
      for (const char* p0 : {"1", "0.1", "1e-4"}) {
        for (const char* bias : {"flat", "none", "0.7"}) {
          record.fit(fmt::format("binary/{}", name), data, fmt::format("margin={} p0={} bias={}", margin, p0, bias));
        }
      }
    }
  }
}

void solvers(Recorder& record) {
  const Dataset data = drawn({.examples = 60, .features = 15, .seed = 6});
  for (const char* solver : {"ascent", "primal-newton", "newton", "coordinate", "bounded-qp", "smo"}) {
    for (const char* margin : kMargins) {
      for (const char* p0 : {"1", "1e-2"}) {
        record.fit("binary/solvers", data, fmt::format("solver={} margin={} p0={} bias=1", solver, margin, p0));
      }
    }
    record.fit("binary/solvers", data, fmt::format("solver={} line-search=brent p0=1e-2", solver));
  }
}

void preparations(Recorder& record) {
  const Dataset data = drawn({.examples = 80, .features = 7, .seed = 7});
  const Dataset sparse = drawn({.examples = 80, .features = 30, .zeros = 0.7, .seed = 8});
  for (const char* words : {"expand=quadratic",
                            "expand=powers:3",
                            "expand=fourier:40 p0=1",
                            "expand=nystrom:20 p0=1",
                            "scale=none",
                            "scale=maxabs",
                            "scale=standard",
                            "precision=float",
                            "class-weight=balanced",
                            "class-weight=0:2,1:0.5",
                            "positive=0",
                            "margin-location=0.5",
                            "margin-location=3 c=40",
                            "prior-variance=0.01",
                            "prior-variance=50",
                            "c=0.5",
                            "c=1.5",
                            "c=1e4",
                            "tolerance=1e-3",
                            "tolerance=1e-10",
                            "max-passes=3",
                            "seed=9 expand=fourier:15 p0=1",
                            "expand=nystrom:20 p0=1 kernel=poly degree=2 coef0=1"}) {
    record.fit("binary/dense", data, words);
    record.fit("binary/cells", sparse, words);
  }
}

// Features tied by switches, priors of single features, and means.
void by_feature(Recorder& record) {
  const Dataset data = drawn({.examples = 90, .features = 24, .seed = 9});
  for (const char* margin : kMargins) {
    for (const int size : {2, 4, 9, 24}) {
      for (const char* p0 : {"0.3", "1e-3"}) {
        Settings settings = settings_from(fmt::format("margin={} p0={}", margin, p0));
        take_named_groups(settings.groups);
        for (int i = 0; i < 22; ++i) {
          settings.feature_group.entries.emplace_back(fmt::format("f{}", i), fmt::format("g{}", i / size));
        }
        record.fit(fmt::format("binary/groups of {} margin={} p0={}", size, margin, p0), data, settings);
      }
    }
    Settings settings = settings_from(fmt::format("margin={} p0=0.01", margin));
    for (int i = 0; i < 24; i += 3) settings.feature_p0.entries.emplace_back(fmt::format("f{}", i), i % 2 ? 1 : 1e-6);
    record.fit(fmt::format("binary/feature priors margin={}", margin), data, settings);
    settings = settings_from(fmt::format("margin={} p0=1", margin));
    for (int i = 0; i < 24; i += 2) settings.prior_mean.entries.emplace_back(fmt::format("f{}", i), 0.1 * i - 1);
    record.fit(fmt::format("binary/prior means margin={}", margin), data, settings);
  }
}

}  // namespace

void record_binary(Recorder& record) {
  margins_priors_biases(record);
  solvers(record);
  preparations(record);
  by_feature(record);
}

}  // namespace medlar::bench
