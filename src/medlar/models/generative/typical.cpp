// A row with gaps must be as typical as a whole one, although the missing cells say nothing. Summing the means of
// missing columns is right only for columns that stand alone. Where columns are taken together, a column also says less
// because the others are missing, and the chain rule gives what must be added.
#include "medlar/models/generative/typical.hpp"

#include <cmath>
#include <numeric>

#include "medlar/models/generative/tree_tables.hpp"
#include "medlar/numerics/at.hpp"
#include "medlar/priors/families/tree_partition.hpp"
#include "medlar/priors/families/tree_sums.hpp"

namespace medlar {

namespace {

// chi . K'(chi) / count: the mean of E[log p] over the examples summed in chi, pseudo-examples included.
double mean_score(const Family& family, std::span<const double> chi) {
  std::vector<double> slope(chi.size());
  family.gradient(chi, slope);
  return std::inner_product(chi.begin(), chi.end(), slope.begin(), 0.0) / chi[at(family.count())];
}

// P(edge) times the mutual information of its ends, from the tables of the tree. The tables leave out the oddest
// examples. One common factor for all edges makes the score of whole rows equal to `all`, the mean over all examples.
std::vector<double> expected_edges(const GenerativeTree& tree, std::size_t nodes, double all) {
  std::vector<double> expected = TreeSums(tree.weight, static_cast<Index>(nodes)).edges();
  std::size_t e = 0;
  for (std::size_t v = 1; v < nodes; ++v) {
    for (std::size_t u = 0; u < v; ++u, ++e) {
      double information = 0;
      const std::size_t levels = tree.single[v].size();
      for (std::size_t cell = 0; cell < tree.pair[e].size(); ++cell) {
        const double ratio = tree.pair[e][cell];
        information += std::exp(ratio + tree.single[u][cell / levels] + tree.single[v][cell % levels]) * ratio;
      }
      expected[e] *= information;
    }
  }
  for (const std::vector<double>& table : tree.single) {
    for (const double log_p : table) all -= std::exp(log_p) * log_p;
  }
  const double sum = std::accumulate(expected.begin(), expected.end(), 0.0);
  for (double& each : expected) each *= sum > 0 ? all / sum : 0.0;
  return expected;
}

}  // namespace

MeanContributions::MeanContributions(const GenerativePart& part, Index features)
    : part_(part),
      group_of_(at(features), 0),
      sum_(at(features), 0.0),
      whole_sum_(at(features), 0.0),
      count_(at(features), 0),
      whole_count_(at(features), 0) {
  for (std::size_t j = 0; j < part.members.size(); ++j) {
    for (const Index i : part.members[j].columns) group_of_[at(i)] = j;
  }
}

void MeanContributions::add(const RowView& row, std::span<const double> contributions) {
  std::vector<bool> missing(sum_.size(), false), broken(std::max<std::size_t>(part_.members.size(), 1), false);
  for (const Index i : absent_features(part_, row)) missing[at(i)] = broken[group_of_[at(i)]] = true;
  for (std::size_t i = 0; i < sum_.size(); ++i) {
    if (missing[i]) continue;
    sum_[i] += contributions[i];
    ++count_[i];
    if (broken[group_of_[i]]) continue;
    whole_sum_[i] += contributions[i];
    ++whole_count_[i];
  }
}

std::vector<double> MeanContributions::means() const {
  std::vector<double> means(sum_.size(), 0.0);
  for (std::size_t i = 0; i < means.size(); ++i) {
    const bool enough = whole_count_[i] >= kEnoughWholeRows;
    const Index count = enough ? whole_count_[i] : count_[i];
    if (count > 0) means[i] = (enough ? whole_sum_[i] : sum_[i]) / static_cast<double>(count);
  }
  return means;
}

TypicalOfGaps::TypicalOfGaps(const GenerativePart& part, std::span<const double> typical, Index features)
    : part_(part),
      typical_(typical),
      scores_(part, features),
      maker_(scores_.maker()),
      marginals_(scores_.marginals(maker_)),
      variable_of_(at(features), 0) {
  for (std::size_t j = 0; j < part.members.size(); ++j) {
    const Family& family = *scores_.members()[j].family;
    const bool together = part.members[j].columns.size() > 1 && family.count() >= 0;
    whole_.push_back(together ? mean_score(family, part.members[j].chi[0]) : 0.0);
  }
  if (part.trees.empty()) return;
  edges_ =
      expected_edges(part.trees.front(), part.variables.size(), std::accumulate(typical.begin(), typical.end(), 0.0));
  for (std::size_t v = 0; v < part.variables.size(); ++v) {
    for (const Index i : part.variables[v]) variable_of_[at(i)] = v;
  }
}

double TypicalOfGaps::operator()(const RowView& row) {
  const std::vector<Index> absent = absent_features(part_, row);
  if (absent.empty()) return 0;
  double sum = 0;
  for (const Index i : absent) sum += typical_[at(i)];
  return sum + (part_.trees.empty() ? of_members(row) : of_trees(absent));
}

// What must be added because the columns of a member were summed as if each stood alone.
double TypicalOfGaps::of_members(const RowView& row) {
  double added = 0;
  for (const Marginals::Gap& gap : marginals_(row)) {
    const Member& member = scores_.members()[gap.member];
    if (member.family->count() < 0) continue;
    double there = 0, all = 0;
    for (const Index i : member.columns) all += typical_[at(i)];
    for (const Index i : gap.there) there += typical_[at(member.columns[at(i)])];
    const double share = static_cast<double>(gap.there.size()) / static_cast<double>(member.columns.size());
    added += there - (gap.mean[0] + share * (all - whole_[gap.member]));
  }
  return added;
}

double TypicalOfGaps::of_trees(std::span<const Index> absent) const {
  std::vector<bool> missing(part_.variables.size(), false);
  for (const Index i : absent) missing[variable_of_[at(i)]] = true;
  double added = 0;
  std::size_t e = 0;
  for (std::size_t v = 1; v < missing.size(); ++v) {
    for (std::size_t u = 0; u < v; ++u, ++e) added += missing[u] != missing[v] ? 0.5 * edges_[e] : 0.0;
  }
  return added;
}

}  // namespace medlar
