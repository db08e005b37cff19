// A product or factor of some thousand rows takes seconds, and nobody can stop a BLAS call. Large ones are therefore
// cut into strips of some hundredths of a second with a pause() between them. Small ones go to the BLAS in one piece,
// because strips cost speed.
#include "medlar/linalg/blocked.hpp"

#include <algorithm>

#include "medlar/linalg/give_up.hpp"
#include "medlar/types.hpp"

namespace medlar {

namespace {

constexpr double kOnePiece = 3e8;  // multiplications: a few hundredths of a second
constexpr Index kPanel = 128;      // columns factored per step

// Columns per strip, when one column takes `each` multiplications.
Index strip(double each) {
  return std::clamp<Index>(static_cast<Index>(kOnePiece / each), 32, 4096);
}

// Adds sign * b b^T to the lower triangle of m, from row and column `first` on.
template <class Real>
void add_from(Square<Real>& m, Index first, const Eigen::Ref<const Square<Real>>& b, Real sign) {
  const Index size = b.rows();
  const Index width = strip(static_cast<double>(size) * static_cast<double>(b.cols()));
  for (Index j = 0; j < size; j += width) {
    const Index columns = std::min(width, size - j), below = size - j - columns;
    const auto own = b.middleRows(j, columns);
    m.block(first + j, first + j, columns, columns).template selfadjointView<Eigen::Lower>().rankUpdate(own, sign);
    if (below > 0) {
      m.block(first + j + columns, first + j, below, columns).noalias() += sign * b.bottomRows(below) * own.transpose();
    }
    pause();
  }
}

}  // namespace

template <class Real>
void add_outer(Square<Real>& m, const Eigen::Ref<const Square<std::type_identity_t<Real>>>& b,
               std::type_identity_t<Real> sign) {
  add_from<Real>(m, 0, b, sign);
}
template void add_outer(Square<double>& m, const Eigen::Ref<const Square<double>>& b, double sign);
template void add_outer(Square<float>& m, const Eigen::Ref<const Square<float>>& b, float sign);

bool factor_in_place(Eigen::MatrixXd& m) {
  const Index size = m.rows();
  const bool small = static_cast<double>(size) * static_cast<double>(size) * static_cast<double>(size) < 3 * kOnePiece;
  const Index panel = small ? size : kPanel;
  for (Index j = 0; j < size; j += panel) {
    const Index columns = std::min(panel, size - j), below = size - j - columns;
    Eigen::Ref<Eigen::MatrixXd> own = m.block(j, j, columns, columns);
    const Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>, Eigen::Lower> factor(own);  // in place
    if (factor.info() != Eigen::Success) return false;
    if (below == 0) return true;
    auto under = m.block(j + columns, j, below, columns);
    own.transpose().triangularView<Eigen::Upper>().solveInPlace<Eigen::OnTheRight>(under);
    add_from<double>(m, j + columns, under, -1);
  }
  return true;
}

void solve_lower(const Eigen::MatrixXd& l, Eigen::MatrixXd& r) {
  const Index width = strip(static_cast<double>(l.rows()) * static_cast<double>(l.rows()));
  for (Index j = 0; j < r.cols(); j += width) {
    auto part = r.middleCols(j, std::min(width, r.cols() - j));
    l.triangularView<Eigen::Lower>().solveInPlace(part);
    pause();
  }
}

}  // namespace medlar
