// Nanoseconds of what the solvers do most, by Google Benchmark: potentials per multiplier, partitions per feature, rows
// per stored number (items_per_second is that rate).
//
//   build/bench/bin/bench-inner_loops [--benchmark_filter=REGEX]
#include <benchmark/benchmark.h>

#include <vector>

#include "generate.hpp"
#include "medlar/priors/coefficients/gaussian.hpp"
#include "medlar/priors/coefficients/switches.hpp"
#include "medlar/priors/margins/exponential.hpp"
#include "medlar/priors/margins/gaussian.hpp"
#include "medlar/priors/margins/hinge.hpp"
#include "medlar/priors/margins/laplace.hpp"
#include "medlar/priors/margins/svr.hpp"
#include "medlar/priors/margins/tube.hpp"
#include "random.hpp"

namespace {

using namespace medlar;

constexpr std::size_t kCount = 4096;  // fits the first-level cache

std::vector<double> uniform_numbers(double low, double high) {
  bench::Random random(1);
  std::vector<double> numbers(kCount);
  for (double& number : numbers) number = low + (high - low) * random.uniform();
  return numbers;
}

void count_items(benchmark::State& state, std::size_t per_iteration) {
  state.SetItemsProcessed(static_cast<std::int64_t>(per_iteration) * state.iterations());
}

template <class Function>
void over(benchmark::State& state, const std::vector<double>& arguments, Function function) {
  for (auto _ : state) {
    double sum = 0;
    for (const double argument : arguments) sum += function(argument);
    benchmark::DoNotOptimize(sum);
  }
  count_items(state, arguments.size());
}

template <class Psi>
void potential_value(benchmark::State& state, Psi psi) {
  over(state, uniform_numbers(0, 0.99 * psi.c), [&](double lambda) { return psi.value(lambda); });
}
template <class Psi>
void potential_slope(benchmark::State& state, Psi psi) {
  over(state, uniform_numbers(0, 0.99 * psi.c), [&](double lambda) { return psi.slope(lambda); });
}
template <class Psi>
void potential_multiplier(benchmark::State& state, Psi psi) {
  over(state, uniform_numbers(-2, 2), [&](double margin) { return psi.multiplier(margin); });
}

#define MEDLAR_POTENTIAL(name, psi)              \
  BENCHMARK_CAPTURE(potential_value, name, psi); \
  BENCHMARK_CAPTURE(potential_slope, name, psi); \
  BENCHMARK_CAPTURE(potential_multiplier, name, psi)

MEDLAR_POTENTIAL(exponential, (ExponentialMargin{5, 1}));
MEDLAR_POTENTIAL(laplace, (LaplaceMargin{5, 1}));
MEDLAR_POTENTIAL(gaussian, (GaussianMargin{5, 1}));
MEDLAR_POTENTIAL(hinge, (HingeMargin{5, 1}));
MEDLAR_POTENTIAL(tube, (TubeMargin{5, 0.1}));
MEDLAR_POTENTIAL(svr, (SvrMargin{5, 0.1}));

// V reaches past the transition of p0 = 1e-3, |V| = 3.7.
template <class A>
void partition_value(benchmark::State& state, const A& partition) {
  const std::vector<double> v = uniform_numbers(-6, 6);
  for (auto _ : state) benchmark::DoNotOptimize(partition.value(v));
  count_items(state, v.size());
}
template <class A>
void partition_mean(benchmark::State& state, const A& partition) {
  const std::vector<double> v = uniform_numbers(-6, 6);
  std::vector<double> w(v.size());
  for (auto _ : state) {
    partition.mean(v, w);
    benchmark::DoNotOptimize(w.data());
    benchmark::ClobberMemory();
  }
  count_items(state, v.size());
}
template <class A>
void partition_curvature(benchmark::State& state, const A& partition) {
  const std::vector<double> v = uniform_numbers(-6, 6);
  std::vector<double> d(v.size()), none;
  for (auto _ : state) {
    partition.curvature(v, d, none);
    benchmark::DoNotOptimize(d.data());
    benchmark::ClobberMemory();
  }
  count_items(state, v.size());
}

#define MEDLAR_PARTITION(name, partition)              \
  BENCHMARK_CAPTURE(partition_value, name, partition); \
  BENCHMARK_CAPTURE(partition_mean, name, partition);  \
  BENCHMARK_CAPTURE(partition_curvature, name, partition)

MEDLAR_PARTITION(gaussian, (GaussianPartition(kCount, 1.0)));
MEDLAR_PARTITION(switches, (SwitchPartition(static_cast<Index>(kCount), 1e-3, 1.0)));

Dataset rows_of(bool sparse) {
  return sparse ? bench::generate("S1/16") : bench::generate("S2");
}

void row_dot(benchmark::State& state, bool sparse) {
  const Dataset data = rows_of(sparse);
  const std::vector<double> w(static_cast<std::size_t>(data.features()), 0.5);
  for (auto _ : state) {
    double sum = 0;
    for (Index t = 0; t < data.examples(); ++t) sum += dot(data.x.row(t), w);
    benchmark::DoNotOptimize(sum);
  }
  count_items(state, static_cast<std::size_t>(data.x.stored()));
}
void row_add_scaled(benchmark::State& state, bool sparse) {
  const Dataset data = rows_of(sparse);
  std::vector<double> v(static_cast<std::size_t>(data.features()), 0.0);
  for (auto _ : state) {
    for (Index t = 0; t < data.examples(); ++t) add_scaled(data.x.row(t), 1e-9, v);
    benchmark::DoNotOptimize(v.data());
    benchmark::ClobberMemory();
  }
  count_items(state, static_cast<std::size_t>(data.x.stored()));
}

BENCHMARK_CAPTURE(row_dot, dense, false);
BENCHMARK_CAPTURE(row_dot, sparse, true);
BENCHMARK_CAPTURE(row_add_scaled, dense, false);
BENCHMARK_CAPTURE(row_add_scaled, sparse, true);

}  // namespace

BENCHMARK_MAIN();
