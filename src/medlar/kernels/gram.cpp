// All work is cut into batches of rows and strips of columns, for three reasons: values stay in the cache until they
// are summed, the threads share the work, and a pause comes every hundredth of a second. Sums must not depend on the
// number of threads, so a thread owns its columns, or its share of kSumParts fixed parts. An rbf distance is a small
// difference of large squares; where floats would lose it, rows are computed in double.
#include "medlar/kernels/gram.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "medlar/linalg/give_up.hpp"
#include "medlar/linalg/one_blas_thread.hpp"
#include "medlar/linalg/symmetric_eigen.hpp"
#include "medlar/linalg/threads.hpp"
#include "medlar/simd/gram_loops.hpp"
#include "medlar/simd/row_loops.hpp"
#include "medlar/thresholds/single_precision.hpp"

namespace medlar {

namespace {

constexpr Index kGrain = 256;          // columns that one thread takes at a time
constexpr std::size_t kBatch = 64;     // rows in double that exist at a time
constexpr std::size_t kPacked = 2048;  // examples packed at a time for their sums

std::vector<Index> all_of(Index count) {
  std::vector<Index> every(static_cast<std::size_t>(count));
  std::iota(every.begin(), every.end(), Index{0});
  return every;
}

constexpr double kPiece = 1e8;  // products per thread between two pauses: about a hundredth of a second

// Products that one value costs: an inner product, and the kernel function on top.
double work_of(const Matrix& x) {
  return 10 + static_cast<double>(x.stored()) / std::max(1.0, static_cast<double>(x.rows()));
}

// Visits all pairs of a row below `rows` and a column below `columns`, in pieces with a pause() between them. `visit`
// gets the rows of a piece (a multiple of kBatch, except the last) and a range of its columns; ranges run side by side.
void in_pieces(Index threads, Index rows, Index columns, double work,
               const std::function<void(Index row, Index last_row, Index first, Index last)>& visit) {
  const double strip = work * static_cast<double>(kGrain);
  const auto batch = static_cast<Index>(kBatch);
  const Index deep = std::max<Index>(1, static_cast<Index>(kPiece / strip) / batch) * batch;
  const double grain = strip * static_cast<double>(std::min(deep, rows));
  const Index wide = std::max<Index>(1, static_cast<Index>(kPiece / std::max(grain, 1.0))) * kGrain * threads;
  for (Index row = 0; row < rows; row += deep) {
    for (Index first = 0; first < columns; first += wide) {
      side_by_side(threads, std::min(wide, columns - first), kGrain,
                   [&](Index begin, Index end) { visit(row, std::min(row + deep, rows), first + begin, first + end); });
      pause();
    }
  }
}

// scores_t += sum_a weights_a k(other_{examples[a]}, packed_t), summed in double. Several sets of weights, one after
// the other, give as many sets of scores.
template <class Value>
void add_sums(const PackedRows<Value>& packed, const Matrix& other, std::span<const Index> examples,
              std::span<const double> weights, std::span<double> scores, Index threads) {
  const OneBlasThread single(threads);
  const auto visit = [&](Index row, Index last_row, Index first, Index last) {
    std::vector<Value> values;
    std::vector<Value*> rows;
    // One strip of columns at a time: its rows stay in the cache until they are summed.
    const auto strip = static_cast<Index>(2 * kGrain);
    values.resize(kBatch * static_cast<std::size_t>(strip));
    for (Index begin = first; begin < last; begin += strip) {
      const Index end = std::min(begin + strip, last);
      for (auto at = static_cast<std::size_t>(row); at < static_cast<std::size_t>(last_row); at += kBatch) {
        const std::size_t count = std::min(kBatch, static_cast<std::size_t>(last_row) - at);
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
  };
  in_pieces(threads, std::ssize(examples), packed.size(), work_of(other), visit);
}

// sums_a += sum_b weights_b k(x_a, x_b) between these examples. Only tiles on and below the diagonal are computed, and
// those below it count in both directions. One tile of columns is packed at a time, which takes little memory compared
// with a cache.
void add_symmetric_sums(const Kernel& kernel, const Matrix& x, std::span<const Index> examples,
                        std::span<const double> weights, std::span<double> sums, Index threads) {
  const OneBlasThread single(threads);
  const auto tile = static_cast<Index>(2 * kGrain), batch = static_cast<Index>(kBatch), size = std::ssize(examples);
  const Index lines = kSumParts * batch;
  const Index deep = std::max<Index>(1, static_cast<Index>(kPiece / work_of(x)) / (tile * lines)) * lines;
  std::vector<std::vector<double>> own(kSumParts, std::vector<double>(sums.size(), 0.0));
  for (Index first = 0; first < size; first += tile) {
    const Index last = std::min(first + tile, size);
    const auto width = static_cast<std::size_t>(last - first);
    const PackedRows<double> packed(kernel, x, examples.subspan(static_cast<std::size_t>(first), width));
    for (Index begun = first; begun < size; begun += deep) {
      side_by_side(threads, kSumParts, 1, [&](Index begin, Index end) {
        std::vector<double> values(kBatch * width);
        std::vector<double*> rows;
        for (Index part = begin; part < end; ++part) {
          double* const out = own[static_cast<std::size_t>(part)].data();
          for (Index row = begun + part * batch; row < std::min(begun + deep, size); row += lines) {
            const Index stop = std::min(row + batch, size);
            rows.clear();
            for (Index a = row; a < stop; ++a) rows.push_back(values.data() + (a - row) * (last - first));
            packed.evaluate(x, examples.subspan(static_cast<std::size_t>(row), rows.size()), 0, last - first,
                            rows.data());
            for (Index a = row; a < stop; ++a) {
              const double* const line = rows[static_cast<std::size_t>(a - row)];
              out[a] += dot_dense(line, weights.data() + first, width);
            }
            const auto below = static_cast<std::size_t>(std::clamp<Index>(last - row, 0, stop - row));
            add_weighted_rows(rows.data() + below, weights.data() + row + below, rows.size() - below, 0, out + first,
                              width);
          }
        }
      });
      pause();
    }
  }
  for (const std::vector<double>& part : own) {
    for (std::size_t a = 0; a < part.size(); ++a) sums[a] += part[a];
  }
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
    : kernel_(kernel), x_(x), threads_(thread_count(threads)), work_(work_of(x)), storage_(storage) {
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

double Gram::rounding() const {
  constexpr double kDoubleError = 1e-15;  // of an inner product, relative to |x|^2
  return kernel_.kind == Kernel::Kind::rbf ? all_->largest_norm() * kDoubleError * kernel_.gamma : 0.0;
}

void Gram::set_columns(std::span<const Index> columns) {
  width_ = std::ssize(columns);
  floats_.reset();
  doubles_.reset();
  const bool lossy =
      kernel_.kind == Kernel::Kind::rbf && are_floats_too_rough_for_rbf(kernel_.gamma, all_->largest_norm());
  if (lossy || storage_ == GramStorage::doubles) {
    doubles_ = std::make_unique<PackedRows<double>>(kernel_, x_, columns);
  } else {
    floats_ = std::make_unique<PackedRows<float>>(kernel_, x_, columns);
  }
}

void Gram::rows(std::span<const Index> batch, float* const* out) const {
  const OneBlasThread single(threads_);
  in_pieces(threads_, std::ssize(batch), width_, work_, [&](Index begin, Index end, Index first, Index last) {
    const auto from = static_cast<std::size_t>(begin), to = static_cast<std::size_t>(end);
    if (floats_) return floats_->evaluate(x_, batch.subspan(from, to - from), first, last, out + begin);
    std::vector<double> row(static_cast<std::size_t>(width_));
    for (std::size_t a = from; a < to; ++a) {
      double* const target = row.data();
      doubles_->evaluate(x_, batch.subspan(a, 1), first, last, &target);
      std::transform(row.begin() + first, row.begin() + last, out[a] + first,
                     [](double value) { return static_cast<float>(value); });
    }
  });
}

void Gram::rows(std::span<const Index> batch, double* const* out) const {
  const OneBlasThread single(threads_);
  in_pieces(threads_, std::ssize(batch), width_, work_, [&](Index row, Index last_row, Index first, Index last) {
    const auto from = static_cast<std::size_t>(row), count = static_cast<std::size_t>(last_row - row);
    doubles_->evaluate(x_, batch.subspan(from, count), first, last, out + row);
  });
}

void Gram::rows(std::span<const Index> batch, Fraction* const* out) const {
  const OneBlasThread single(threads_);
  in_pieces(threads_, std::ssize(batch), width_, work_, [&](Index row, Index last_row, Index first, Index last) {
    const auto from = static_cast<std::size_t>(row), count = static_cast<std::size_t>(last_row - row);
    floats_->evaluate(x_, batch.subspan(from, count), first, last, out + row);
  });
}

void Gram::rows(const PackedRows<float>& packed, std::span<const Index> batch, Index width, float* const* out) const {
  const OneBlasThread single(threads_);
  in_pieces(threads_, std::ssize(batch), width, work_, [&](Index row, Index last_row, Index first, Index last) {
    const auto from = static_cast<std::size_t>(row), count = static_cast<std::size_t>(last_row - row);
    packed.evaluate(x_, batch.subspan(from, count), first, last, out + row);
  });
}

void Gram::add_scores(std::span<const Index> examples, std::span<const double> weights,
                      std::span<double> scores) const {
  if (4 * std::ssize(examples) < size() || weights.size() > examples.size() ||
      kernel_.kind == Kernel::Kind::precomputed) {
    return add_sums(*all_, x_, examples, weights, scores, threads_);
  }
  // The block between the examples is symmetric, so each value is computed once.
  std::vector<char> is_one(scores.size(), 0);
  std::vector<Index> others;
  for (const Index t : examples) is_one[static_cast<std::size_t>(t)] = 1;
  for (Index t = 0; t < size(); ++t) {
    if (!is_one[static_cast<std::size_t>(t)]) others.push_back(t);
  }
  std::vector<double> sums;
  for (std::size_t first = 0; first < others.size(); first += kPacked) {
    const auto some = std::span<const Index>(others).subspan(first, std::min(kPacked, others.size() - first));
    sums.assign(some.size(), 0.0);
    add_sums(PackedRows<double>(kernel_, x_, some), x_, examples, weights, sums, threads_);
    for (std::size_t j = 0; j < some.size(); ++j) scores[static_cast<std::size_t>(some[j])] += sums[j];
  }
  sums.assign(examples.size(), 0.0);
  add_symmetric_sums(kernel_, x_, examples, weights, sums, threads_);
  for (std::size_t a = 0; a < examples.size(); ++a) scores[static_cast<std::size_t>(examples[a])] += sums[a];
}

void Gram::add_scores(const PackedRows<float>& packed, std::span<const Index> examples, std::span<const double> weights,
                      std::span<double> scores) const {
  add_sums(packed, x_, examples, weights, scores, threads_);
}

std::vector<double> Gram::block(std::span<const Index> examples) const {
  const PackedRows<double> packed(kernel_, x_, examples);
  const std::size_t count = examples.size();
  std::vector<double> values(count * count);
  std::vector<double*> rows;
  for (std::size_t a = 0; a < count; ++a) rows.push_back(values.data() + a * count);
  const OneBlasThread single(threads_);
  in_pieces(threads_, std::ssize(examples), packed.size(), work_,
            [&](Index row, Index last_row, Index first, Index last) {
              const auto from = static_cast<std::size_t>(row), part = static_cast<std::size_t>(last_row - row);
              packed.evaluate(x_, examples.subspan(from, part), first, last, rows.data() + row);
            });
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
