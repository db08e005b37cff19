// What a model tells of its own structure: trees against enumeration, shifts against the definition.
#include <gtest/gtest.h>

#include "medlar/error.hpp"
#include "medlar/explain.hpp"
#include "medlar/probable_trees.hpp"
#include "medlar/transformations.hpp"
#include "models/models.hpp"

namespace medlar {
namespace {

// Every tree over four variables is three of the six edges 0-1, 0-2, 1-2, 0-3, 1-3, 2-3 without a circle.
TEST(ProbableTrees, AgreeWithAllTreesOfFourVariables) {
  const std::vector<double> weight{0.3, -1.2, 2.0, 0.7, 0.1, -0.4};
  const int ends[6][2] = {{0, 1}, {0, 2}, {1, 2}, {0, 3}, {1, 3}, {2, 3}};
  double total = 0, best = -1;
  std::vector<double> edge(6, 0.0);
  std::vector<int> best_tree;
  for (int mask = 0; mask < 64; ++mask) {
    if (__builtin_popcount(static_cast<unsigned>(mask)) != 3) continue;
    int root[4] = {0, 1, 2, 3};
    bool circle = false;
    double product = 1;
    std::vector<int> tree;
    for (int e = 0; e < 6; ++e) {
      if (!(mask >> e & 1)) continue;
      const int a = root[ends[e][0]], b = root[ends[e][1]];
      circle = circle || a == b;
      for (int& each : root) each = each == b ? a : each;
      product *= std::exp(weight[static_cast<std::size_t>(e)]);
      tree.push_back(e);
    }
    if (circle) continue;
    total += product;
    for (const int e : tree) edge[static_cast<std::size_t>(e)] += product;
    if (product > best) best = product, best_tree = tree;
  }
  Model model = tests::plain_model(std::vector<Feature>(5));
  model.settings.model = ModelKind::generative;
  model.schema.columns = {{"a", {}, {}}, {"b", {"x", "y"}, {}}, {"c", {}, {}}, {"d", {}, {}}};
  model.generative.emplace();
  model.generative->variables = {{0}, {1, 2}, {3}, {4}};
  model.generative->trees = {{{}, {}, weight}};
  const ProbableTrees trees = most_probable_trees(model);
  EXPECT_EQ(trees.variables, (std::vector<std::string>{"a", "b", "c", "d"}));
  ASSERT_EQ(trees.edges[0].size(), 3u);
  for (const int e : best_tree) {
    const auto found = std::find_if(trees.edges[0].begin(), trees.edges[0].end(), [&](const TreeEdge& each) {
      return each.from == ends[e][0] && each.to == ends[e][1];
    });
    ASSERT_NE(found, trees.edges[0].end());
    EXPECT_NEAR(found->probability, edge[static_cast<std::size_t>(e)] / total, 1e-12);
  }
  model.generative->trees.clear();
  EXPECT_THROW(most_probable_trees(model), OptionError);
}

// P0(U | x) ~ e^{-sum_i (T_U x - m)_i^2 / (2 s2_i)}, T_U shifting with the edge repeated.
TEST(Transformations, ProbabilitiesAreThoseOfTheDefinition) {
  Model model = tests::plain_model(std::vector<Feature>(4));
  model.settings.model = ModelKind::latent;
  model.latent.emplace();
  TransformationPart part;
  part.kind = LatentKind::shifts;
  part.width = 4;
  part.reach = 1;
  part.mean = {0, 1, 0.5, 0};
  part.variance = {0.4, 0.2, 0.7, 0.3};
  model.latent->transformation = part;
  const std::vector<double> x{0.2, 0, 1.1, 0.4};
  const auto shifts = shifts_of(model);
  const auto found = transformation_probabilities(model, Matrix::dense(1, 4, std::vector<double>(x)))[0];
  ASSERT_EQ(shifts.size(), 3u);
  std::vector<double> expected;
  double sum = 0;
  for (const Shift& shift : shifts) {
    double apart = 0;
    for (Index i = 0; i < 4; ++i) {
      const auto from = static_cast<std::size_t>(std::clamp<Index>(i + shift.right, 0, 3));
      const auto k = static_cast<std::size_t>(i);
      apart += std::pow(x[from] - part.mean[k], 2) / part.variance[k];
    }
    sum += expected.emplace_back(std::exp(-apart / 2));
  }
  for (std::size_t u = 0; u < 3; ++u) EXPECT_NEAR(found[u], expected[u] / sum, 1e-14);
  model.latent->transformation->mean.clear();
  EXPECT_EQ(transformation_probabilities(model, Matrix::dense(1, 4, std::vector<double>(x)))[0],
            std::vector<double>(3, 1.0 / 3));
  model.latent->transformation->kind = LatentKind::translation;
  EXPECT_THROW(transformation_probabilities(model, Matrix::dense(1, 4, std::vector<double>(x))), OptionError);
}

// Reasons are told feature by feature, so that a file with too few of them is refused and not read beyond its end.
TEST(AnomalyFile, NeedsWhatIsTypicalOfEveryFeature) {
  Model model = tests::plain_model({{"a", 1, 0, 0, -1}, {"b", 1, 0, 0, -1}});
  model.task = model.settings.task = Task::anomaly;
  model.settings.model = ModelKind::generative;
  model.labels = {"normal", "odd"};
  model.generative.emplace();
  model.generative->class_bias = {0};
  model.generative->typical = {-1, -2};
  EXPECT_EQ(model_from_json(to_json(model), "m.json").generative->typical.size(), 2u);
  const auto refusal = [&] {
    try {
      model_from_json(to_json(model), "m.json");
    } catch (const DataError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  model.generative->typical = {-1};
  EXPECT_NE(refusal().find("typical has 1 values for 2 features"), std::string::npos) << refusal();
  model.generative.reset();
  EXPECT_NE(refusal().find("generative"), std::string::npos) << refusal();
}

}  // namespace
}  // namespace medlar
