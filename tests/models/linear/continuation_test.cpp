// A fit in slices, and one that goes on from a model, end where one fit does.
#include <gtest/gtest.h>

#include "medlar/error.hpp"
#include "medlar/fit.hpp"
#include "models/fit_data.hpp"

namespace medlar::test {
namespace {

TEST(Continuation, SlicesOfTimeEndWhereOneFitDoes) {
  for (const bool classify : {true, false}) {
    const Sample s = sample(classify, 120, 40, 5);
    const Dataset data = dataset(s.x, s.y);
    Settings settings;
    settings.task = classify ? Task::classify : Task::regress;
    settings.p0 = 1e-3;
    settings.tolerance = 1e-9;
    const Model once = fit(data, settings);
    Index kept = 0;
    double objective = -HUGE_VAL;
    Continuation slices;
    slices.first_seconds = 1e-5;
    slices.keep = [&](const Model& so_far) {
      ++kept;
      EXPECT_GE(so_far.report.objective, objective);  // J never falls from one to the next
      objective = so_far.report.objective;
    };
    const Model model = fit(data, settings, nullptr, slices);
    EXPECT_EQ(model.report.status, Status::converged) << model.report.message;
    EXPECT_GT(kept, 1);
    EXPECT_NEAR(model.report.objective, once.report.objective, 2e-9 * once.report.objective);
    EXPECT_EQ(model.settings.max_seconds, settings.max_seconds);
    for (std::size_t k = 1; k < model.report.trace.size(); ++k) {
      EXPECT_GE(model.report.trace[k].passes, model.report.trace[k - 1].passes);
    }
  }
}

TEST(Continuation, GoesOnFromAModelOfOtherStrengths) {
  const Sample s = sample(true, 100, 8, 6);
  const Dataset data = dataset(s.x, s.y);
  Settings settings;
  settings.p0 = 0.1;
  settings.c = 5;
  const Model first = fit(data, settings);
  Continuation from;
  from.from = &first;
  EXPECT_LE(fit(data, settings, nullptr, from).report.iterations, 1);
  for (const double c : {2.0, 5.0, 50.0}) {
    settings.c = c;
    settings.p0 = 1e-3;
    const Model anew = fit(data, settings), again = fit(data, settings, nullptr, from);
    EXPECT_EQ(again.report.status, Status::converged);
    EXPECT_NEAR(again.report.objective, anew.report.objective, 2e-6 * anew.report.objective);
  }
}

TEST(Continuation, RefusesWhatItCannotGoOnFrom) {
  const Sample s = sample(true, 60, 4, 7), other = sample(true, 60, 4, 8);
  const Model first = fit(dataset(s.x, s.y), {});
  Continuation from;
  from.from = &first;
  EXPECT_THROW(fit(dataset(other.x, other.y), {}, nullptr, from), DataError);
  Settings kernel;
  kernel.model = ModelKind::kernel;
  EXPECT_THROW(fit(dataset(s.x, s.y), kernel, nullptr, from), OptionError);
  Settings smo;
  smo.solver = SolverKind::smo;
  smo.p0 = 1;
  EXPECT_THROW(fit(dataset(s.x, s.y), smo, nullptr, from), OptionError);
}

}  // namespace
}  // namespace medlar::test
