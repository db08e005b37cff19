// Seconds to a certified fit by the shape of the data and p0: the table to compare before and after a change.
//
//   build/bench/bin/bench-fit_shapes [REPEATS]       (3 unless told; the least of them is printed)
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <random>

#include "medlar/medlar.hpp"

namespace {

struct Shape {
  const char* name;
  medlar::Index examples, features;
  double density;  // 1: dense
};

// Ten features carry the class, the others are noise; labels are right nine times in ten.
medlar::Dataset synthetic(const Shape& shape, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  const medlar::Index informative = std::min<medlar::Index>(10, shape.features);
  std::vector<medlar::Index> starts{0};
  std::vector<medlar::Column> columns;
  std::vector<double> values, labels;
  for (medlar::Index t = 0; t < shape.examples; ++t) {
    double score = 0;
    for (medlar::Index i = 0; i < shape.features; ++i) {
      if (shape.density < 1 && uniform(random) >= shape.density && i >= informative) continue;
      const double x = normal(random);
      if (i < informative) score += x;
      values.push_back(x);
      columns.push_back(static_cast<medlar::Column>(i));
    }
    starts.push_back(static_cast<medlar::Index>(values.size()));
    labels.push_back((score > 0) == (uniform(random) < 0.9) ? 1 : -1);
  }
  medlar::Dataset data;
  data.source = shape.name;
  data.x = shape.density < 1 ? medlar::Matrix::sparse(shape.examples, shape.features, std::move(starts),
                                                      std::move(columns), std::move(values))
                             : medlar::Matrix::dense(shape.examples, shape.features, std::move(values));
  for (medlar::Index i = 0; i < shape.features; ++i) data.names.push_back(fmt::format("x{}", i + 1));
  data.target.present = data.target.numeric = true;
  data.target.values = std::move(labels);
  return data;
}

}  // namespace

int main(int count, char** arguments) {
  const int repeats = count > 1 ? std::max(1, std::atoi(arguments[1])) : 3;
  constexpr std::array shapes{Shape{"dense 200 x 5000", 200, 5000, 1}, Shape{"dense 2000 x 200", 2000, 200, 1},
                              Shape{"dense 20000 x 50", 20000, 50, 1}, Shape{"sparse 2000 x 10000", 2000, 10000, 0.01}};
  fmt::print("{:<20} {:>7} {:>9} {:>7} {:>9} {:>9}  {}\n", "data", "p0", "seconds", "passes", "gap", "selected",
             "status");
  for (const Shape& shape : shapes) {
    const medlar::Dataset data = synthetic(shape, 1);
    for (const double p0 : {1.0, 1e-1, 1e-3, 1e-5}) {
      medlar::Settings settings;
      settings.p0 = p0;
      double least = HUGE_VAL;
      medlar::Model model;
      for (int r = 0; r < repeats; ++r) {
        const auto start = std::chrono::steady_clock::now();
        model = medlar::fit(data, settings);
        least = std::min(least, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
      }
      fmt::print("{:<20} {:>7g} {:>9.3f} {:>7} {:>9.1e} {:>9}  {}\n", shape.name, p0, least, model.report.passes,
                 model.report.relative_gap, model.selected(), medlar::to_string(model.report.status));
    }
  }
}
