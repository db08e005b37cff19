// Second-order Gaussian knockoffs: z~ = z - s D S^-1 z + C^(1/2) g with C = 2 s D - s^2 D S^-1 D. D has the entries of
// S inside the groups of features that are swapped together (the identity if each is swapped alone), and s = min(1, 2
// min eig of D^(-1/2) S D^(-1/2)). Then (z, z~) has the covariance [[S, S - sD], [S - sD, S]], which no swap changes
// (Candes, Fan, Janson and Lv 2018; for groups, Dai and Barber 2016). Everything is computed with Cholesky factors.
// Beyond 4000 features S has blocks of at most 1000 without correlations between them.
//
// Shrinking R to the identity would be cheaper. But each example lies in the span of R's eigenvectors with eigenvalues
// of about n / T, so the copies would be noisy doubles of the features, which features beat by chance.
#include <fmt/format.h>

#include <Eigen/Sparse>
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <random>

#include "medlar/error.hpp"
#include "medlar/linalg/give_up.hpp"
#include "medlar/numerics/backtrack.hpp"
#include "medlar/trust/copies.hpp"
#include "medlar/trust/correlation_model.hpp"

namespace medlar {
namespace {

constexpr Index kMostWhole = 4000;         // features up to which the correlations are held whole
constexpr Index kMostInBlock = 1000;       // of more features than that
constexpr double kTogether = 0.7;          // features of a group correlate by so much
constexpr double kLeastEigenvalue = 0.05;  // smaller ones leave no room between a feature and its copy
constexpr double kShort = 0.999;           // of s, so that the factor of C exists

using Rows = RowMatrix;
using Sparse = Eigen::SparseMatrix<double>;

struct Standardised {
  Rows z;
  Eigen::RowVectorXd mean, sd;  // sd is 0 for a column that never varies, whose z is 0
};

Standardised standardised(const Matrix& x) {
  Standardised made;
  made.z = Rows::Zero(x.rows(), x.columns());
  for (Index t = 0; t < x.rows(); ++t) for_each(x.row(t), [&](Index i, double value) { made.z(t, i) = value; });
  // In units of its largest value, so that no square is too large.
  const Eigen::RowVectorXd unit = made.z.cwiseAbs().colwise().maxCoeff().cwiseMax(1e-300);
  made.z.array().rowwise() /= unit.array();
  made.mean = made.z.colwise().mean();
  made.z.rowwise() -= made.mean;
  made.sd = (made.z.colwise().squaredNorm() / static_cast<double>(x.rows())).cwiseSqrt();
  for (Index i = 0; i < x.columns(); ++i) {
    const bool varies = made.sd(i) > 1e-12 * (1 + std::abs(made.mean(i)));
    if (!varies) made.sd(i) = 0;
    made.z.col(i) *= varies ? 1 / made.sd(i) : 0.0;
  }
  made.mean.array() *= unit.array();
  made.sd.array() *= unit.array();
  return made;
}

using DrawRows = std::function<Rows(std::uint64_t seed)>;

Rows normals(Eigen::Index rows, Eigen::Index columns, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  return Rows::NullaryExpr(rows, columns, [&] { return normal(random); });
}

bool positive_definite(Eigen::MatrixXd S, double shift, const Sparse& D) {
  pause();
  S -= shift * D;
  return Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>>(S).info() == Eigen::Success;
}

// The least eigenvalue of S in units of D, approached from below to a hundredth of its distance from 1 or better, by
// bisection on the shift that leaves S - shift D positive definite. It is at most 1, because both traces are equal.
double least_eigenvalue(const Eigen::MatrixXd& S, const Sparse& D) {
  double below = 0, above = 1;
  while (!positive_definite(S, below, D)) {
    above = below;
    below = 2 * below - 0.1;
  }
  while (above - below > 0.01 * std::max(1 - above, 0.02)) {
    const double middle = 0.5 * (below + above);
    (positive_definite(S, middle, D) ? below : above) = middle;
  }
  return below;
}

// The entries of S inside groups.
Sparse inside(const Eigen::MatrixXd& S, const std::vector<Index>& group) {
  std::map<Index, std::vector<Index>> members;
  for (std::size_t i = 0; i < group.size(); ++i) members[group[i]].push_back(static_cast<Index>(i));
  std::vector<Eigen::Triplet<double>> entries;
  for (const auto& [number, of] : members) {
    for (const Index i : of) {
      for (const Index j : of) entries.emplace_back(static_cast<int>(i), static_cast<int>(j), S(i, j));
    }
  }
  Sparse D(S.rows(), S.cols());
  D.setFromTriplets(entries.begin(), entries.end());
  return D;
}

DrawRows copies_under(const Rows& z, Eigen::MatrixXd S, const Sparse& D) {
  double smallest = least_eigenvalue(S, D);
  if (smallest < kLeastEigenvalue) {
    const double towards = (kLeastEigenvalue - smallest) / (1 - smallest);
    S *= 1 - towards;
    S += towards * D;
    smallest = kLeastEigenvalue;
  }
  const Eigen::MatrixXd solved = S.llt().solve(Eigen::MatrixXd(D)), twice = D * solved;
  Eigen::LLT<Eigen::MatrixXd> factor;
  const double s = backtrack(std::min(1.0, kShort * 2 * smallest), 0.9, 1e-6, [&](double part) {
    pause();
    Eigen::MatrixXd C = -part * part * twice;
    C += 2 * part * D;
    return factor.compute(C).info() == Eigen::Success;
  });
  if (s == 0) {
    throw OptionError(
        "the features are so nearly dependent that they have no knockoffs; leave out those that repeat others");
  }
  return [mean = Rows(z - s * (z * solved)), root = Eigen::MatrixXd(factor.matrixL())](std::uint64_t seed) {
    Rows copy = mean;
    copy.noalias() += normals(mean.rows(), mean.cols(), seed) * root.triangularView<Eigen::Lower>().transpose();
    return copy;
  };
}

// A correlation of T examples errs by 1/sqrt(T); of n^2 of them the largest errors are near sqrt(2 log n / T).
double least_correlation(const Rows& z) {
  return std::sqrt(std::log(std::max<double>(static_cast<double>(z.cols()), 2)) / static_cast<double>(z.rows()));
}

struct Block {
  std::vector<Index> columns, group;
  DrawRows draw;
};

Block block_of(const Rows& z, std::vector<Index> columns, bool grouped, double least) {
  const Rows part = z(Eigen::all, columns);
  const Eigen::MatrixXd S = grouped ? correlations_by_parents(part) : thresholded_correlations(part, least);
  std::vector<Index> group(columns.size());
  std::iota(group.begin(), group.end(), Index{0});
  if (grouped) group = correlated_groups(S, kTogether);
  DrawRows draw = copies_under(part, S, inside(S, group));
  return {std::move(columns), std::move(group), std::move(draw)};
}

std::vector<Block> blocks_of(const Rows& z, bool grouped) {
  const double least = least_correlation(z);
  std::vector<std::vector<Index>> parts(1, std::vector<Index>(static_cast<std::size_t>(z.cols())));
  std::iota(parts[0].begin(), parts[0].end(), Index{0});
  if (z.cols() > kMostWhole) parts = correlated_blocks(z, least, kMostInBlock);
  std::vector<Block> blocks;
  for (auto& part : parts) blocks.push_back(block_of(z, std::move(part), grouped, least));
  return blocks;
}

Copies copies(const Matrix& x, bool grouped) {
  if (x.rows() < 4) throw OptionError(fmt::format("knockoffs need at least 4 examples, but there are {}", x.rows()));
  const Standardised data = standardised(x);
  const std::vector<Block> blocks = blocks_of(data.z, grouped);
  Copies made;
  made.group_of.resize(static_cast<std::size_t>(x.columns()));
  Index groups = 0;
  for (const Block& block : blocks) {
    for (std::size_t k = 0; k < block.columns.size(); ++k) {
      made.group_of[static_cast<std::size_t>(block.columns[k])] = groups + block.group[k];
    }
    groups += *std::max_element(block.group.begin(), block.group.end()) + 1;
  }
  made.draw = [blocks, mean = data.mean, sd = data.sd, rows = x.rows()](std::uint64_t seed) -> Knockoffs {
    Rows copy(rows, mean.cols());
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      copy(Eigen::all, blocks[b].columns) = blocks[b].draw(seed + 0xd1b54a32d192ed03U * b);
    }
    copy = (copy.array().rowwise() * sd.array()).matrix();
    copy.rowwise() += mean;
    return {KnockoffKind::gaussian, {copy.data(), copy.data() + copy.size()}};
  };
  return made;
}

}  // namespace

Copies gaussian_copies(const Matrix& x) {
  return copies(x, false);
}

Copies grouped_gaussian_copies(const Matrix& x) {
  return copies(x, true);
}

// Given the kept features, Gaussian others are a linear function of them plus residuals that do not depend on them.
Copies gaussian_copies_given(const Matrix& x, std::span<const Index> kept, bool grouped) {
  constexpr double nothing = 1e-9;  // of a column's spread, a residual that is rounding
  if (kept.empty()) return copies(x, grouped);
  std::vector<Index> others;
  for (Index i = 0; i < x.columns(); ++i) {
    if (std::find(kept.begin(), kept.end(), i) == kept.end()) others.push_back(i);
  }
  const Standardised data = standardised(x);
  Eigen::MatrixXd known(x.rows(), std::ssize(kept) + 1);
  known << data.z(Eigen::all, std::vector<Index>(kept.begin(), kept.end())), Eigen::VectorXd::Ones(x.rows());
  const Rows z = data.z(Eigen::all, others);
  const Rows foretold = known * known.colPivHouseholderQr().solve(Eigen::MatrixXd(z));
  Rows left = z - foretold;
  for (Eigen::Index i = 0; i < left.cols(); ++i) {
    if (left.col(i).norm() <= nothing * z.col(i).norm()) left.col(i).setZero();
  }
  const Copies residual = copies(
      Matrix::dense(left.rows(), left.cols(), std::vector<double>(left.data(), left.data() + left.size())), grouped);
  Copies made;
  made.group_of.assign(static_cast<std::size_t>(x.columns()), 0);
  Index groups = 0;
  for (std::size_t k = 0; k < others.size(); ++k) {
    made.group_of[static_cast<std::size_t>(others[k])] = residual.group_of[k];
    groups = std::max(groups, residual.group_of[k] + 1);
  }
  for (const Index i : kept) made.group_of[static_cast<std::size_t>(i)] = groups++;
  made.draw = [=, mean = data.mean, sd = data.sd](std::uint64_t seed) -> Knockoffs {
    const Knockoffs drawn = residual.draw(seed);
    const Eigen::Map<const Rows> part(drawn.copy.data(), foretold.rows(), foretold.cols());
    Rows copy = Rows::Zero(foretold.rows(), mean.cols());
    for (std::size_t k = 0; k < others.size(); ++k) {
      const Index i = others[k];
      const auto column = static_cast<Eigen::Index>(k);
      copy.col(i) = ((part.col(column) + foretold.col(column)) * sd(i)).array() + mean(i);
    }
    return {KnockoffKind::gaussian, {copy.data(), copy.data() + copy.size()}};
  };
  return made;
}

Knockoffs gaussian_knockoffs(const Matrix& x, std::uint64_t seed) {
  return gaussian_copies(x).draw(seed);
}

}  // namespace medlar
