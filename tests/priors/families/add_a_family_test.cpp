// docs/add_a_family.md walks through the geometric family of priors/families/geometric.hpp: its code is the file's, and
// right.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <iterator>

#include "priors/families/geometric.hpp"
#include "support/derivatives.hpp"
#include "support/quadrature.hpp"

namespace medlar::test {
namespace {

std::string content(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(AddAFamily, ThePageShowsTheFileThatIsTested) {
  const std::string root = std::string(MEDLAR_DATA) + "/..";
  const std::string page = content(root + "/docs/add_a_family.md");
  const std::string code = content(root + "/tests/priors/families/geometric.hpp");
  ASSERT_FALSE(code.empty());
  EXPECT_NE(page.find(code), std::string::npos);
}

TEST(AddAFamily, TheGeometricFamilyIsTheIntegralThatDefinesIt) {
  const ScalarFamily<Geometric> family(FamilyKind::automatic);  // it is in no table
  for (const auto& chi : {std::vector<double>{3.0, 2.0}, {0.7, 1.5}}) {
    const double direct =
        std::log(integrate([&](double q) { return std::pow(q, chi[1] - 1) * std::pow(1 - q, chi[0] - 1); }, 0, 1));
    EXPECT_NEAR(family.value(chi), direct, 1e-9);
    std::vector<double> gradient(2), curvature(4);
    family.gradient(chi, gradient);
    family.curvature(chi, curvature);
    for (std::size_t i = 0; i < 2; ++i) {
      const auto at = [&](double x) {
        std::vector<double> moved(chi);
        moved[i] = x;
        return moved;
      };
      EXPECT_NEAR(gradient[i], finite_difference([&](double x) { return family.value(at(x)); }, chi[i], 1e-3), 1e-9);
      for (std::size_t j = 0; j < 2; ++j) {
        const double second = finite_difference(
            [&](double x) {
              std::vector<double> there(2);
              family.gradient(at(x), there);
              return there[j];
            },
            chi[i], 1e-3);
        EXPECT_NEAR(curvature[i * 2 + j], second, 1e-8);
      }
    }
  }
}

}  // namespace
}  // namespace medlar::test
