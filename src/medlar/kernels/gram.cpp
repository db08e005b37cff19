// See the header.
#include "medlar/kernels/gram.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "medlar/linalg/symmetric_eigen.hpp"
#include "medlar/linalg/threads.hpp"
#include "medlar/simd/gram_loops.hpp"

namespace medlar {

namespace {

constexpr Index kGrain = 256;         // columns that one thread takes at a time
constexpr std::size_t kBatch = 64;    // rows in double that exist at a time
constexpr double kFloatError = 1e-7;  // of an inner product in single precision, relative to |x|^2
constexpr double kBearable = 1e-4;    // error of a kernel value that only costs a solver some steps

std::vector<Index> all_of(Index count) {
  std::vector<Index> every(static_cast<std::size_t>(count));
  std::iota(every.begin(), every.end(), Index{0});
  return every;
}

// The threads are ours here: each calls the BLAS for its own columns.
class OneBlasThread {
 public:
  explicit OneBlasThread(Index threads) : threads_(threads) { set_linear_algebra_threads(1); }
  ~OneBlasThread() { set_linear_algebra_threads(threads_); }
  OneBlasThread(const OneBlasThread&) = delete;
  OneBlasThread& operator=(const OneBlasThread&) = delete;

 private:
  Index threads_;
};

// scores_t += sum_a weights_a k(other_{examples[a]}, packed_t), in double; with several sets of weights, one after the
// other, as many sets of scores.
void add_sums(const PackedRows<double>& packed, const Matrix& other, std::span<const Index> examples,
              std::span<const double> weights, std::span<double> scores, Index threads) {
  const OneBlasThread single(threads);
  side_by_side(threads, packed.size(), kGrain, [&](Index first, Index last) {
    std::vector<double> values;
    std::vector<double*> rows;
    // A strip of columns at a time: its rows stay in the cache until they are summed.
    const auto strip = static_cast<Index>(2 * kGrain);
    values.resize(kBatch * static_cast<std::size_t>(strip));
    for (Index begin = first; begin < last; begin += strip) {
      const Index end = std::min(begin + strip, last);
      for (std::size_t at = 0; at < examples.size(); at += kBatch) {
        const std::size_t count = std::min(kBatch, examples.size() - at);
        rows.clear();
        for (std::size_t a = 0; a < count; ++a) {
          rows.push_back(values.data() + a * static_cast<std::size_t>(strip) - begin);
        }
        packed.evaluate(other, examples.subspan(at, count), begin, end, rows.data());
        for (std::size_t set = 0; set * examples.size() < weights.size(); ++set) {
          add_weighted_rows(
              rows.data(), weights.data() + set * examples.size() + at, count, static_cast<std::size_t>(begin),
              scores.data() + static_cast<Index>(set) * packed.size() + begin, static_cast<std::size_t>(end - begin));
        }
      }
    }
  });
}

}  // namespace

double kernel_diagonal(const Kernel& kernel, const RowView& row) {
  const double norm = squared_norm(row);
  switch (kernel.kind) {
    case Kernel::Kind::rbf:
      return 1;
    case Kernel::Kind::poly:
      return std::pow(kernel.gamma * norm + kernel.coef0, kernel.degree);
    case Kernel::Kind::sigmoid:
      return std::tanh(kernel.gamma * norm + kernel.coef0);
    default:
      return norm;
  }
}

Gram::Gram(const Kernel& kernel, const Matrix& x, Index threads, GramStorage storage)
    : kernel_(kernel), x_(x), threads_(thread_count(threads)), storage_(storage) {
  for (Index t = 0; t < x.rows(); ++t) {
    double value = 0;
    if (kernel.kind == Kernel::Kind::precomputed) {
      for_each(x.row(t), [&](Index i, double entry) {
        if (i == t) value = entry;
      });
    } else {
      value = kernel_diagonal(kernel, x.row(t));
    }
    diagonal_.push_back(value);
  }
  const std::vector<Index> every = all_of(x.rows());
  all_ = std::make_unique<PackedRows<double>>(kernel, x, every);
  set_columns(every);
}

void Gram::set_columns(std::span<const Index> columns) {
  width_ = std::ssize(columns);
  floats_.reset();
  doubles_.reset();
  const bool lossy =
      kernel_.kind == Kernel::Kind::rbf && kernel_.gamma * all_->largest_norm() * kFloatError > kBearable;
  if (lossy || storage_ == GramStorage::doubles) {
    doubles_ = std::make_unique<PackedRows<double>>(kernel_, x_, columns);
  } else {
    floats_ = std::make_unique<PackedRows<float>>(kernel_, x_, columns);
  }
}

void Gram::rows(std::span<const Index> batch, float* const* out) const {
  const OneBlasThread single(threads_);
  side_by_side(threads_, width_, kGrain, [&](Index first, Index last) {
    if (floats_) return floats_->evaluate(x_, batch, first, last, out);
    std::vector<double> row(static_cast<std::size_t>(width_));
    for (std::size_t a = 0; a < batch.size(); ++a) {
      double* const target = row.data();
      doubles_->evaluate(x_, batch.subspan(a, 1), first, last, &target);
      std::transform(row.begin() + first, row.begin() + last, out[a] + first,
                     [](double value) { return static_cast<float>(value); });
    }
  });
}

void Gram::rows(std::span<const Index> batch, double* const* out) const {
  const OneBlasThread single(threads_);
  side_by_side(threads_, width_, kGrain,
               [&](Index first, Index last) { doubles_->evaluate(x_, batch, first, last, out); });
}

void Gram::add_scores(std::span<const Index> examples, std::span<const double> weights,
                      std::span<double> scores) const {
  add_sums(*all_, x_, examples, weights, scores, threads_);
}

std::vector<double> Gram::block(std::span<const Index> examples) const {
  const PackedRows<double> packed(kernel_, x_, examples);
  const std::size_t count = examples.size();
  std::vector<double> values(count * count);
  std::vector<double*> rows;
  for (std::size_t a = 0; a < count; ++a) rows.push_back(values.data() + a * count);
  const OneBlasThread single(threads_);
  side_by_side(threads_, packed.size(), kGrain,
               [&](Index first, Index last) { packed.evaluate(x_, examples, first, last, rows.data()); });
  return values;
}

KernelScores kernel_scores(const Kernel& kernel, const Matrix& support, std::span<const Index> rows,
                           std::span<const double> weights, const Matrix& x, Index threads) {
  const auto count = static_cast<std::size_t>(x.rows());
  const std::size_t sets = rows.empty() ? 1 : weights.size() / rows.size();
  KernelScores result{std::vector<double>(sets * count, 0.0), {}};
  threads = thread_count(threads);
  if (kernel.kind == Kernel::Kind::precomputed) {
    for (Index t = 0; t < x.rows(); ++t) {
      std::vector<double> row(static_cast<std::size_t>(x.columns()), 0.0);
      for_each(x.row(t), [&](Index i, double value) { row[static_cast<std::size_t>(i)] = value; });
      for (std::size_t a = 0; a < weights.size(); ++a) {
        result.scores[a / rows.size() * count + static_cast<std::size_t>(t)] +=
            weights[a] * row[static_cast<std::size_t>(rows[a % rows.size()])];
      }
    }
    return result;
  }
  const std::vector<Index> every = all_of(x.rows());
  add_sums(PackedRows<double>(kernel, x, every), support, rows, weights, result.scores, threads);
  for (Index t = 0; t < x.rows(); ++t) result.diagonal.push_back(kernel_diagonal(kernel, x.row(t)));
  return result;
}

Spectrum sampled_spectrum(const Gram& gram, Index most, std::uint64_t seed) {
  std::vector<Index> every = all_of(gram.size());
  std::mt19937_64 random(seed);
  std::shuffle(every.begin(), every.end(), random);
  every.resize(static_cast<std::size_t>(std::min(most, gram.size())));
  const std::vector<double> block = gram.block(every);
  const auto count = std::ssize(every);
  const Eigen::Map<const Eigen::MatrixXd> matrix(block.data(), count, count);
  const Eigen::VectorXd values = symmetric_eigenvalues(matrix);
  return {values.minCoeff(), values.maxCoeff(), count};
}

}  // namespace medlar
