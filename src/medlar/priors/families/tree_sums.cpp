// Weights may differ by e^45 and more, where a determinant by LU calls the Laplacian singular. Elimination in
// logarithms needs only sums and keeps all digits. The gradient and the products with A'' are the same elimination
// differentiated by hand, backwards and forwards; both reuse the shares stored on the way.
#include "medlar/priors/families/tree_sums.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "medlar/linalg/give_up.hpp"

namespace medlar {

namespace {

using Changed = Eigen::Map<Eigen::ArrayXd>;
using Given = Eigen::Map<const Eigen::ArrayXd>;

// The place of the first pair of nodes before k, in arrays over all k.
Index pairs_before(Index k) {
  return k * (k - 1) * (k - 2) / 6;
}

// Eliminates node k from w in place. Calls keep(i, j, through) for each pair of nodes before k, and returns s.
template <class Keep>
double eliminate(double* w, Index k, Keep keep) {
  const Given column(w + edge_place(0, k), k);
  const double top = column.maxCoeff();
  double sum = 0;
  for (Index i = 0; i < k; ++i) sum += std::exp(column[i] - top);
  const double s = top + std::log(sum);
  for (Index j = 1; j < k; ++j) {
    double* to = w + edge_place(0, j);
    for (Index i = 0; i < j; ++i) {
      const double by_k = column[i] + column[j] - s, ratio = std::exp(-std::abs(by_k - to[i]));
      keep(i, j, by_k < to[i] ? ratio / (1 + ratio) : 1 / (1 + ratio));
      to[i] = std::max(to[i], by_k) + std::log1p(ratio);
    }
    pause_after(kNumbersOfALog * static_cast<std::size_t>(j));
  }
  return s;
}

}  // namespace

double log_tree_sum(std::span<const double> w, Index nodes) {
  std::vector<double> left(w.begin(), w.end());
  double sum = 0;
  for (Index k = nodes - 1; k >= 1; --k) sum += eliminate(left.data(), k, [](Index, Index, double) {});
  return sum;
}

TreeSums::TreeSums(std::span<const double> w, Index nodes)
    : nodes_(nodes),
      through_(static_cast<std::size_t>(pairs_before(nodes))),
      inner_(through_.size()),
      ends_(w.begin(), w.end()),
      of_sum_(static_cast<std::size_t>(nodes), 1.0),
      edges_(w.size(), 0.0) {
  for (Index k = nodes - 1; k >= 1; --k) {
    double* through = through_.data() + pairs_before(k);
    const double s =
        eliminate(ends_.data(), k, [&](Index i, Index j, double share) { through[edge_place(i, j)] = share; });
    log_sum_ += s;
    Changed column(ends_.data() + edge_place(0, k), k);
    column = (column - s).exp();
  }
  // dA/dw before k is eliminated follows from dA/dw afterwards. Both are in edges_, the pairs of nodes before k first.
  Eigen::ArrayXd part(nodes), of_end(nodes);
  for (Index k = 1; k < nodes; ++k) {
    std::copy_n(edges_.data(), edge_place(0, k), inner_.data() + pairs_before(k));
    of_end.head(k).setZero();
    for (Index j = 1; j < k; ++j) {
      Changed to(edges_.data() + edge_place(0, j), j);
      part.head(j) = to * Given(through_.data() + pairs_before(k) + edge_place(0, j), j);
      to -= part.head(j);
      of_end.head(j) += part.head(j);
      of_end[j] += part.head(j).sum();
    }
    double& of_sum = of_sum_[static_cast<std::size_t>(k)];
    of_sum -= 0.5 * of_end.head(k).sum();  // every pair is counted from both ends
    Changed(edges_.data() + edge_place(0, k), k) = of_end.head(k) + of_sum * Given(ends_.data() + edge_place(0, k), k);
    pause_after(static_cast<std::size_t>(edge_place(0, k)));
  }
}

// Differentiates the same steps along d: first the weights, then the gradient.
std::vector<double> TreeSums::covariance_product(std::span<const double> d) const {
  std::vector<double> slope(d.begin(), d.end()), turn(through_.size());  // of the weights; of each share
  Eigen::ArrayXd sums(nodes_), part(nodes_), of_end(nodes_);
  for (Index k = nodes_ - 1; k >= 1; --k) {
    const Given column(slope.data() + edge_place(0, k), k);
    sums[k] = (column * Given(ends_.data() + edge_place(0, k), k)).sum();
    for (Index j = 1; j < k; ++j) {
      const Index first = pairs_before(k) + edge_place(0, j);
      Changed to(slope.data() + edge_place(0, j), j);
      const Given share(through_.data() + first, j);
      part.head(j) = share * (column.head(j) + (column[j] - sums[k]) - to);
      to += part.head(j);
      Changed(turn.data() + first, j) = (1 - share) * part.head(j);
    }
    pause_after(static_cast<std::size_t>(edge_place(0, k)));
  }
  std::vector<double> out(d.size(), 0.0);
  for (Index k = 1; k < nodes_; ++k) {
    of_end.head(k).setZero();
    for (Index j = 1; j < k; ++j) {
      const Index first = pairs_before(k) + edge_place(0, j);
      Changed to(out.data() + edge_place(0, j), j);
      part.head(j) =
          to * Given(through_.data() + first, j) + Given(inner_.data() + first, j) * Given(turn.data() + first, j);
      to -= part.head(j);
      of_end.head(j) += part.head(j);
      of_end[j] += part.head(j).sum();
    }
    const double of_sum = of_sum_[static_cast<std::size_t>(k)], moved = -0.5 * of_end.head(k).sum();
    const Given column(slope.data() + edge_place(0, k), k);
    Changed(out.data() + edge_place(0, k), k) =
        of_end.head(k) + Given(ends_.data() + edge_place(0, k), k) * (moved + of_sum * (column - sums[k]));
    pause_after(static_cast<std::size_t>(edge_place(0, k)));
  }
  return out;
}

}  // namespace medlar
