// Microseconds of a small fit called from C++: 50 examples, 100 features, c = 5, relative gap 1e-6, one thread.
//
//   build/bench/bin/bench-small_fits [--benchmark_format=json ...]
#include <benchmark/benchmark.h>

#include "generate.hpp"
#include "medlar/fit.hpp"

namespace {

void small_fit(benchmark::State& state, double p0) {
  const medlar::Dataset data = medlar::bench::generate_dense(50, 100, 5, 6);
  medlar::Settings settings;
  settings.p0 = p0;
  settings.c = 5;
  settings.scale = medlar::ScaleKind::none;
  settings.threads = 1;
  medlar::Report report;
  for (auto _ : state) report = medlar::fit(data, settings).report;
  if (report.status != medlar::Status::converged) state.SkipWithError(report.message.c_str());
  state.counters["passes"] = static_cast<double>(report.passes);
}

BENCHMARK_CAPTURE(small_fit, p0_1, 1.0)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(small_fit, p0_1e3, 1e-3)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(small_fit, p0_1e5, 1e-5)->Unit(benchmark::kMicrosecond);

}  // namespace

BENCHMARK_MAIN();
