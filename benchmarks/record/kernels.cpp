// Kernel models: each kernel to classify, to regress and for several classes; a low rank; what is precomputed.
#include <fmt/format.h>

#include <cmath>

#include "drawn.hpp"
#include "recorder.hpp"

namespace medlar::bench {
namespace {

const char* const kKernels[] = {"kernel=linear", "kernel=poly degree=2 coef0=1", "kernel=rbf gamma=0.5",
                                "kernel=sigmoid gamma=1e-5 prior-variance=1e5"};

// Inner products e^{-distance^2 / 2} as the features: one column per example.
Dataset precomputed(const Dataset& from) {
  Rows products;
  for (Index s = 0; s < from.examples(); ++s) {
    std::vector<double> row;
    for (Index t = 0; t < from.examples(); ++t) {
      double squares = 0;
      for (std::size_t i = 0; i < 3; ++i) {
        const double apart = from.x.row(s).values[i] - from.x.row(t).values[i];
        squares += apart * apart;
      }
      row.push_back(std::exp(-squares / 2));
    }
    products.push_back(std::move(row));
  }
  return dataset(dense_matrix(products), from.target.values);
}

}  // namespace

void record_kernels(Recorder& record) {
  const Dataset two = rings(120, 2, 81), three = rings(90, 3, 82);
  const Dataset numbers = drawn({.examples = 80, .features = 4, .classes = 0, .seed = 83});
  const Dataset sparse = drawn({.examples = 80, .features = 30, .zeros = 0.8, .weighted = true, .seed = 84});
  for (const std::string kernel : kKernels) {
    const std::string words = "model=kernel task=classify " + kernel;
    for (const char* margin : {"exponential", "laplace", "gaussian", "hinge"}) {
      for (const char* bias : {"flat", "none", "0.7"}) {
        record.fit("kernels/rings", two, fmt::format("{} margin={} bias={}", words, margin, bias));
      }
      record.fit("kernels/sparse", sparse, fmt::format("{} margin={}", words, margin));
      record.fit("kernels/three", three, fmt::format("{} margin={}", words, margin));
      record.fit("kernels/three", three, fmt::format("{} margin={} multiclass=joint", words, margin));
    }
    for (const char* margin : {"tube", "svr"}) {
      for (const char* bias : {"flat", "none", "2"}) {
        record.fit("kernels/numbers", numbers, fmt::format("model=kernel {} margin={} bias={}", kernel, margin, bias));
      }
      record.fit("kernels/numbers", numbers, fmt::format("model=kernel {} margin={} epsilon=0 c=2", kernel, margin));
    }
  }
  for (const char* words : {"gamma=0.1", "gamma=5", "c=1.5", "c=100", "prior-variance=0.1", "gram-precision=double",
                            "cache-mb=0.02", "precision=float", "scale=none", "class-weight=balanced",
                            "tolerance=1e-9 gram-precision=double", "solver=smo"}) {
    record.fit("kernels/rings", two, fmt::format("model=kernel {}", words));
  }
  for (const char* words : {"", "margin=hinge", "bias=none c=30"}) {
    record.fit("kernels/precomputed", precomputed(two), fmt::format("model=kernel kernel=precomputed {}", words));
    record.fit("kernels/precomputed three", precomputed(three),
               fmt::format("model=kernel task=classify kernel=precomputed {}", words));
  }
  record.fit("kernels/rings", two, "model=kernel kernel=sigmoid coef0=-1");
}

// Smooth kernels and targets that they do not explain, with a cache too small for their rows.
void record_low_rank(Recorder& record) {
  const Dataset two = drawn({.examples = 2100, .features = 2, .seed = 85});
  const Dataset weighted = drawn({.examples = 2300, .features = 3, .weighted = true, .seed = 87});
  const Dataset numbers = drawn({.examples = 2100, .features = 2, .classes = 0, .seed = 86});
  const Dataset three = drawn({.examples = 900, .features = 3, .classes = 3, .seed = 88});
  const std::string kernel = "model=kernel gamma=0.1 cache-mb=3";
  for (const char* words :
       {"", "margin=gaussian bias=none", "margin=laplace bias=1", "c=50", "gram-precision=double", "solver=smo"}) {
    record.fit("low rank/two", two, fmt::format("{} {}", kernel, words));
    record.fit("low rank/weighted", weighted, fmt::format("{} {}", kernel, words));
  }
  record.fit("low rank/two", two, kernel + " margin=hinge");
  for (const char* words : {"margin=tube", "margin=svr", "margin=tube bias=none epsilon=0", "margin=tube c=0.5",
                            "margin=tube solver=smo"}) {
    record.fit("low rank/numbers", numbers, fmt::format("{} {}", kernel, words));
  }
  for (const char* words : {"", "margin=hinge", "multiclass=joint", "multiclass=joint margin=gaussian p0=1"}) {
    record.fit("low rank/three", three, fmt::format("{} task=classify {}", kernel, words));
  }
}

}  // namespace medlar::bench
