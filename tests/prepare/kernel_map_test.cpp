// Fourier and Nystrom maps: inner products near the kernel's, the same bits when replayed, refusals in sentences.
#include "medlar/prepare/kernel_map.hpp"

#include <gtest/gtest.h>

#include "models/fit_data.hpp"
#include "models/kernel/naive_kernel.hpp"
#include "refusals/refusal.hpp"

namespace medlar::test {
namespace {

double product(const Matrix& z, Index t, Index u) {
  double sum = 0;
  for (std::size_t j = 0; j < static_cast<std::size_t>(z.columns()); ++j)
    sum += z.row(t).values[j] * z.row(u).values[j];
  return sum;
}

// The mean of D cosines of unit variance: an error of about 1/sqrt(D).
TEST(KernelMap, FourierComesNearTheKernelAsDGrows) {
  const Sample s = sample(true, 30, 4, 3);
  const Matrix x = dense(s.x);
  const Kernel kernel{Kernel::Kind::rbf, 0.3, 0, 3};
  for (const Index size : {200, 20000}) {
    const Transform map = make_kernel_map(x, {ExpansionKind::fourier, size}, {KernelKind::rbf, 0.3, 0, 3}, 1);
    const Matrix z = apply_kernel_map(map, x);
    ASSERT_EQ(z.columns(), size);
    double squares = 0;
    for (Index t = 0; t < 30; ++t) {
      for (Index u = 0; u < 30; ++u) {
        const double exact = naive_kernel(kernel, s.x[static_cast<std::size_t>(t)], s.x[static_cast<std::size_t>(u)]);
        squares += std::pow(product(z, t, u) - exact, 2) / 900;
      }
    }
    EXPECT_LT(std::sqrt(squares * static_cast<double>(size)), 1.5);
    EXPECT_GT(std::sqrt(squares * static_cast<double>(size)), 0.2);
  }
}

TEST(KernelMap, NystromIsExactOnTheExamplesThatItDrew) {
  const Sample s = sample(true, 40, 3, 4, 0.3);
  for (const bool packed : {false, true}) {
    for (const KernelOfMap& kernel :
         {KernelOfMap{KernelKind::rbf, 0.5, 0, 3}, KernelOfMap{KernelKind::poly, 0.4, 1, 2}}) {
      const Matrix x = packed ? sparse(s.x) : dense(s.x);
      const Matrix z = apply_kernel_map(make_kernel_map(x, {ExpansionKind::nystrom, 40}, kernel, 1), x);
      const Kernel exact{kernel.kind, kernel.gamma, kernel.coef0, static_cast<int>(kernel.degree)};
      for (Index t = 0; t < 40; ++t) {
        for (Index u = 0; u < 40; ++u) {
          const double value = naive_kernel(exact, s.x[static_cast<std::size_t>(t)], s.x[static_cast<std::size_t>(u)]);
          // eigenvalues below 1e-10 of the largest are left out
          ASSERT_NEAR(product(z, t, u), value, 1e-5 * (1 + std::abs(value)));
        }
      }
    }
  }
  // A polynomial of degree 2 in three variables has ten monomials, and no more outputs than those.
  EXPECT_EQ(make_kernel_map(dense(s.x), {ExpansionKind::nystrom, 40}, {KernelKind::poly, 0.4, 1, 2}, 1).outputs(), 10);
}

// With every example drawn, the linear model of the map is the kernel model.
TEST(KernelMap, NystromOfAllExamplesIsTheKernelModel) {
  const Sample s = sample(true, 50, 3, 5);
  Settings kernel = with("exponential", 1, 1e-8);
  kernel.model = ModelKind::kernel;
  kernel.gamma = 0.4;
  Settings mapped = kernel;
  mapped.model = ModelKind::linear;
  mapped.expand = {ExpansionKind::nystrom, 50};
  const Dataset data = dataset(s.x, s.y);
  const Model a = fit(data, kernel), b = fit(data, mapped);
  EXPECT_NEAR(a.report.objective, b.report.objective, 1e-6 * a.report.primal);
  const auto p = a.predict(data.x), q = b.predict(data.x);
  for (std::size_t t = 0; t < p.size(); ++t) {
    EXPECT_NEAR(p[t].score, q[t].score, 1e-3);
    EXPECT_NEAR(p[t].sd, q[t].sd, 1e-4);
  }
}

TEST(KernelMap, IsRecordedAndReplayedWithSwitchesOverBasisFunctions) {
  const Sample s = sample(false, 60, 3, 6);
  for (const char* expand : {"fourier:25", "nystrom:25"}) {
    for (const char* precision : {"double", "float"}) {
      Settings settings = with("tube", 0.05, 1e-6);
      set_option(settings, "expand", expand);
      set_option(settings, "precision", precision);
      const Dataset data = dataset(s.x, s.y);
      const Model model = fit(data, settings);
      ASSERT_EQ(model.report.status, Status::converged) << model.report.message;
      EXPECT_EQ(model.features.size(), 25u);
      EXPECT_EQ(model.features[0].name, std::string(expand).substr(0, 7) + "1");
      EXPECT_EQ(model.prior(), PriorKind::switches);
      const Model read = model_from_json(to_json(model), "memory");
      EXPECT_EQ(read, model);
      const auto p = model.predict(data.x), q = read.predict(data.x);
      for (std::size_t t = 0; t < p.size(); ++t) EXPECT_EQ(p[t].score, q[t].score);
      EXPECT_EQ(to_json(fit(data, settings)).substr(0, 2000), to_json(model).substr(0, 2000));  // the seed decides
    }
  }
}

TEST(KernelMap, Refusals) {
  const Sample s = sample(true, 20, 3, 6);
  const Dataset data = dataset(s.x, s.y);
  Settings settings = with("hinge", 1);
  settings.expand = {ExpansionKind::fourier, 10};
  settings.kernel = KernelKind::poly;
  expect_option_error(data, settings,
                      "expand = fourier:10 draws the frequencies of an rbf kernel, but kernel = poly; use nystrom:10");
  settings.kernel = KernelKind::precomputed;
  expect_option_error(data, settings,
                      "expand = fourier:10 computes its kernel, but kernel = precomputed; use another --kernel, or "
                      "--model kernel without --expand");
  settings = with("hinge", 1);
  settings.expand = {ExpansionKind::nystrom, 0};
  expect_option_error(data, settings, "expand = nystrom:D, D = 0, but must be a whole number from 1 to 100000");
  settings.expand = {ExpansionKind::nystrom, 10};
  settings.model = ModelKind::kernel;
  expect_option_error(data, settings,
                      "expand = nystrom:10 stands in for a kernel, but model = kernel has it in full; use --model "
                      "linear, or leave it out");
}

}  // namespace
}  // namespace medlar::test
