// Generative models as a whole: what the fit must equal, what must not change it, and what it refuses.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "medlar/anomaly.hpp"
#include "medlar/error.hpp"
#include "medlar/priors/families/families.hpp"
#include "models/fit_data.hpp"
#include "models/generative/generative_settings.hpp"

namespace medlar::test {
namespace {

// Two or more classes of counts, bits or numbers that overlap, as the family takes them.
Dataset drawn_classes(const std::string& family, int K, std::size_t examples, std::size_t features, unsigned seed) {
  std::mt19937_64 random(seed);
  const std::string kind = family == "multinomial" ? "poisson" : numbers_for(family);
  Rows x;
  std::vector<double> y;
  for (std::size_t t = 0; t < examples; ++t) {
    const int k = static_cast<int>(t) % K;
    std::vector<double> row;
    for (std::size_t i = 0; i < features; ++i) {
      const double level =
          1 + 0.8 * static_cast<double>((static_cast<std::size_t>(k) + i) % static_cast<std::size_t>(K));
      if (kind == "bernoulli") {
        row.push_back(std::bernoulli_distribution(0.3 * level)(random) ? 1 : 0);
      } else if (kind == "poisson") {
        row.push_back(std::poisson_distribution<int>(2 * level)(random));
      } else if (kind == "exponential") {
        row.push_back(std::exponential_distribution<double>(level)(random));
      } else {
        row.push_back(std::normal_distribution<double>(level, 1)(random));
      }
    }
    x.push_back(row);
    y.push_back(k);
  }
  return dataset(x, y);
}

// Probabilities come from the slope, and no sd is measured for them.
TEST(Generative, HasASlopeAndNoTypicalSd) {
  const Model model = fit(drawn_classes("gaussian", 2, 45, 4, 3), generative("gaussian"));
  EXPECT_GT(model.generative->slope, 0);
  EXPECT_EQ(model.typical_sd, 0);
}

// The solve is done, but the probabilities are not those asked for.
TEST(Generative, AnEndWhileFoldsAreFittedIsTold) {
  struct OnceSolved : Observer {
    bool solved = false;
    void on_iteration(const TracePoint& at) override { solved = solved || at.relative_gap <= 1e-6; }
    bool stop_requested() override { return solved; }
  } observer;
  const Dataset data = drawn_classes("gaussian", 3, 300, 6, 4);
  Settings settings = generative("gaussian");
  settings.calibration = CalibrationScores::folds;
  const Model model = fit(data, settings, &observer);
  EXPECT_EQ(model.report.status, Status::interrupted);
  EXPECT_NE(model.report.message.find("before the folds"), std::string::npos) << model.report.message;
  EXPECT_LE(model.report.relative_gap, settings.tolerance);
  settings.calibration = CalibrationScores::left_out;
  EXPECT_EQ(fit(data, settings).report.status, Status::converged);
}

TEST(Generative, EveryFamilyIsCertifiedForTwoAndForThreeClasses) {
  for (const std::string& family : kFamilies) {
    for (const int K : {2, 3}) {
      for (const double omega : {1.0, 0.1, 0.0}) {
        Settings settings = generative(family);
        settings.statistics_weight = omega;
        const Model model = fit(drawn_classes(family, K, 45, 4, 3), settings);
        EXPECT_EQ(model.report.status, Status::converged)
            << family << " K = " << K << " omega = " << omega << ": " << model.report.message;
        EXPECT_GE(model.report.objective, 0);
        EXPECT_LE(model.report.gap, 1e-6 * model.report.primal + 1e-15);
      }
    }
  }
}

// The scale of margins is that of a prior that has seen the classes; its own would leave every multiplier at 0.
TEST(Generative, AWeakPriorLearnsByDefault) {
  for (const std::string family : {"gaussian-diagonal", "poisson", "bernoulli"}) {
    const Dataset data = drawn_classes(family, 2, 100, 8, 7);
    Settings settings = generative(family);
    const double scale = fit(data, settings).generative->margin_scale;
    settings.statistics_weight = 0;
    const Model model = fit(data, settings);
    EXPECT_EQ(model.report.status, Status::converged) << model.report.message;
    EXPECT_EQ(model.generative->margin_scale, scale) << family;
    EXPECT_GT(model.report.objective, 1) << family;
    const std::vector<Prediction> found = model.predict(data.x);
    std::size_t right = 0;
    for (std::size_t t = 0; t < found.size(); ++t) right += (found[t].score > 0) == (t % 2 == 1);
    EXPECT_GT(right, 75U) << family;
  }
}

TEST(Generative, EveryMarginIsCertified) {
  for (const std::string& margin : kClassifiers) {
    for (const int K : {2, 3}) {
      Settings settings = generative("poisson");
      set_option(settings, "margin", margin);
      const Model model = fit(drawn_classes("poisson", K, 40, 3, 4), settings);
      EXPECT_EQ(model.report.status, Status::converged) << margin << ": " << model.report.message;
    }
  }
}

// Interior-point steps on all multipliers, and ascent on those of one example after the other: one optimum.
TEST(Generative, TwoSolversAgreeOnEveryFamily) {
  for (const std::string& family : kFamilies) {
    for (const int K : {2, 3, 5}) {
      for (const std::string bias : {"flat", "none", "2"}) {
        const Dataset data = drawn_classes(family, K, 45, 6, 13);
        Settings settings = generative(family);
        settings.tolerance = 1e-8;
        set_option(settings, "bias", bias);
        settings.solver = SolverKind::newton;
        const Model one = fit(data, settings);
        settings.solver = SolverKind::ascent;
        const Model other = fit(data, settings);
        const std::string which = family + " K = " + std::to_string(K) + " bias " + bias;
        EXPECT_EQ(one.report.status, Status::converged) << which << ": " << one.report.message;
        EXPECT_EQ(one.report.solver, "Newton between classes") << which;
        EXPECT_EQ(other.report.status, Status::converged) << which << ": " << other.report.message;
        EXPECT_EQ(other.report.solver.find("ascent between classes"), 0U) << which;
        EXPECT_NEAR(one.report.objective, other.report.objective, 1e-7 * one.report.primal) << which;
        const auto p = one.predict(data.x), q = other.predict(data.x);
        for (std::size_t t = 0; t < p.size(); ++t) {
          EXPECT_NEAR(p[t].score, q[t].score, 2e-3 * (1 + std::abs(p[t].score))) << which;
        }
      }
    }
  }
}

// Columns whose spread in a class is a ten-thousandth of an outlier: margins of a few nats beside margins of millions.
TEST(Generative, FarOutliersDoNotBlockTheSolver) {
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  std::vector<double> x, y;
  for (int t = 0; t < 240; ++t) {
    for (int i = 0; i < 6; ++i) x.push_back(1e-4 * normal(random) * (t % 7 == i ? 1e4 : 1) + 1e-4 * (t % 4));
    y.push_back(t % 4);
  }
  const Model model = fit(dataset(Matrix::dense(240, 6, std::move(x)), std::move(y)), generative("gaussian-diagonal"));
  EXPECT_EQ(model.report.status, Status::converged) << model.report.message;
  EXPECT_LT(model.report.iterations, 60);
}

// A margin that every example has by far leaves lambda at 0: then the score is E[log p] of the Bayes posterior.
TEST(Generative, WithoutMultipliersItIsTheGenerativeClassifier) {
  for (const std::string& family : kFamilies) {
    const Dataset data = drawn_classes(family, 2, 30, 3, 7);
    Settings settings = generative(family);
    settings.margin_location = 1e-9;
    settings.c = 1e-3;  // psi'(0) = 1e-9 - 1000: only an example misplaced by 1000 nats would count
    settings.offsets = Offsets::none;
    settings.scale = ScaleKind::none;
    const Model model = fit(data, settings);
    ASSERT_TRUE(model.support.empty()) << family;
    EXPECT_NEAR(model.bias, 0, 1e-12) << "as many of each class: even odds";
    // The statistics of each member are the prior and the sums of its class, and the score is E[log p] under them.
    std::vector<double> score(30, 0.0);
    for (const GenerativeMember& member : model.generative->members) {
      const auto law = find_family(member.family)->make(std::ssize(member.columns));
      const auto values = [&](std::size_t t) {
        std::vector<double> x;
        for (const Index i : member.columns)
          x.push_back(data.x.row(static_cast<Index>(t)).values[static_cast<std::size_t>(i)]);
        return x;
      };
      std::vector<ColumnMoments> moments;
      for (std::size_t i = 0; i < member.columns.size(); ++i) {
        double sum = 0, squares = 0;
        for (std::size_t t = 0; t < 30; ++t) sum += values(t)[i] / 30;
        for (std::size_t t = 0; t < 30; ++t) squares += (values(t)[i] - sum) * (values(t)[i] - sum) / 30;
        moments.push_back({sum, squares, 30});
      }
      for (std::size_t k = 0; k < 2; ++k) {
        std::vector<double> chi(static_cast<std::size_t>(law->statistics())), u(chi.size());
        law->prior(1, moments, chi);
        for (std::size_t t = 0; t < 30; ++t) {
          if (data.target.values[t] != static_cast<double>(k)) continue;
          law->statistics_of(values(t), u);
          if (law->count() >= 0) u[static_cast<std::size_t>(law->count())] = 1;
          for (std::size_t i = 0; i < chi.size(); ++i) chi[i] += u[i];
        }
        for (std::size_t i = 0; i < chi.size(); ++i) {
          EXPECT_NEAR(member.chi[k][i], chi[i], 1e-11 * (1 + std::abs(chi[i]))) << family << " " << i;
        }
        for (std::size_t t = 0; t < 30; ++t) {
          law->statistics_of(values(t), u);
          if (law->count() >= 0) u[static_cast<std::size_t>(law->count())] = 1;
          score[t] += (k == 1 ? 1 : -1) * law->score(chi, u);
        }
      }
    }
    const auto predicted = model.predict(data.x);
    for (std::size_t t = 0; t < 30; ++t) EXPECT_NEAR(predicted[t].score, score[t], 1e-9 * (1 + std::abs(score[t])));
  }
}

// The usual naive Bayes classifiers plug in one estimate; with growing counts the expectation comes to the same.
TEST(Generative, ApproachesNaiveBayesAsTheCountsGrow) {
  for (const std::string family : {"bernoulli", "multinomial", "gaussian-diagonal"}) {
    double before = HUGE_VAL;
    for (const std::size_t examples : {100, 1000, 10000}) {
      const Dataset data = drawn_classes(family, 2, examples, 3, 11);
      Settings settings = generative(family);
      settings.margin_location = 1e-9;
      settings.c = 1e-3;
      const Model model = fit(data, settings);
      ASSERT_TRUE(model.support.empty());
      double worst = 0;
      // Estimates with the smoothing of the library's own prior: one pseudo-count.
      std::vector<std::vector<double>> sum(2, std::vector<double>(3, 0.0)), squares = sum;
      std::vector<double> count(2, 0.0);
      for (std::size_t t = 0; t < examples; ++t) {
        const auto k = static_cast<std::size_t>(data.target.values[t]);
        count[k] += 1;
        for (std::size_t i = 0; i < 3; ++i) {
          const double x = data.x.row(static_cast<Index>(t)).values[i];
          sum[k][i] += x;
          squares[k][i] += x * x;
        }
      }
      const auto predictions = model.predict(data.x);
      for (std::size_t t = 0; t < 50; ++t) {
        double f[2] = {0, 0};
        for (std::size_t k = 0; k < 2; ++k) {
          const double all = std::accumulate(sum[k].begin(), sum[k].end(), 0.0);
          for (std::size_t i = 0; i < 3; ++i) {
            const double x = data.x.row(static_cast<Index>(t)).values[i];
            if (family == "bernoulli") {
              const double p = (sum[k][i] + 1) / (count[k] + 2);
              f[k] += x == 1 ? std::log(p) : std::log(1 - p);
            } else if (family == "multinomial") {
              f[k] += x * std::log((sum[k][i] + 1) / (all + 3));
            } else {
              const double mean = sum[k][i] / count[k], variance = squares[k][i] / count[k] - mean * mean;
              f[k] += -0.5 * std::log(variance) - 0.5 * (x - mean) * (x - mean) / variance;
            }
          }
        }
        worst = std::max(worst, std::abs(predictions[t].score - (f[1] - f[0])));
      }
      EXPECT_LT(worst, 60.0 / static_cast<double>(examples)) << family << " T = " << examples;  // O(1/T)
      EXPECT_LT(worst, before);
      before = worst;
    }
  }
}

// Theory 6: unit-variance Gaussians with chi = 0 and nu = 1 under a flat bias are a linear model of variance 2.
TEST(Generative, UnitVarianceGaussiansAreALinearModelOfTwiceTheVariance) {
  const Sample s = sample(true, 40, 3, 21);
  Dataset data = dataset(s.x, s.y);
  Settings linear = with("exponential", 1, 1e-9);
  linear.prior_variance = 2;
  linear.scale = ScaleKind::standard;  // mean 0, so that chi = 0
  linear.c = 3;
  Settings settings = generative("gaussian");
  settings.statistics_weight = 0;
  settings.offsets = Offsets::none;
  settings.bias = BiasKind::flat;
  settings.margin_location = 1;
  settings.c = 3;
  settings.tolerance = 1e-9;
  settings.scale = ScaleKind::standard;
  const Model a = fit(data, linear), b = fit(data, settings);
  EXPECT_NEAR(a.report.objective, b.report.objective, 1e-7 * a.report.objective);
  const auto p = a.predict(data.x), q = b.predict(data.x);
  for (std::size_t t = 0; t < p.size(); ++t) EXPECT_NEAR(p[t].score, q[t].score, 1e-3);
}

// Those of a fit to 1e-6 are nearly those of one to 1e-9: an interior point leaves no multiplier at 0 by itself.
TEST(Generative, SupportDoesNotDependOnTheTolerance) {
  for (const std::string family : {"gaussian-full", "gaussian-diagonal"}) {
    const Dataset data = drawn_classes("gaussian", 3, 150, 12, 19);
    Settings settings = generative(family);
    settings.solver = SolverKind::newton;
    const std::size_t usual = fit(data, settings).support.size();
    settings.tolerance = 1e-9;
    const std::size_t fine = fit(data, settings).support.size();
    EXPECT_LT(fine, 140U) << family;
    EXPECT_LE(usual, fine + 15) << family;
  }
}

TEST(Generative, SwitchesFindTheColumnsThatDiffer) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  Rows x;
  std::vector<double> y;
  for (int t = 0; t < 80; ++t) {
    std::vector<double> row;
    for (int i = 0; i < 8; ++i) row.push_back(normal(random) + (i < 2 && t % 2 == 1 ? 1.5 : 0));
    x.push_back(row);
    y.push_back(t % 2);
  }
  for (const std::string kind : {"tied", "per-class"}) {
    Settings settings = generative("gaussian-diagonal");
    set_option(settings, "switches", kind);
    settings.p0 = 0.1;
    const Model model = fit(dataset(x, y), settings);
    EXPECT_EQ(model.report.status, Status::converged) << model.report.message;
    for (std::size_t i = 0; i < 8; ++i) {
      EXPECT_EQ(model.features[i].inclusion > 0.5, i < 2) << kind << " " << i << " " << model.features[i].inclusion;
    }
  }
}

// Columns 0 and 1 differ between the classes, whatever they hold.
TEST(Generative, SwitchesSelectColumnsOfEveryFamily) {
  for (const std::string family : {"gaussian", "gaussian-diagonal", "bernoulli", "poisson", "exponential"}) {
    Rows x;
    std::vector<double> y;
    std::mt19937_64 random(9);
    for (int t = 0; t < 400; ++t) {
      std::vector<double> row;
      for (int i = 0; i < 6; ++i) {
        const bool raised = i < 2 && t % 2 == 1;
        row.push_back(family == "bernoulli"     ? std::bernoulli_distribution(raised ? 0.8 : 0.3)(random)
                      : family == "poisson"     ? std::poisson_distribution<int>(raised ? 6 : 3)(random)
                      : family == "exponential" ? std::exponential_distribution<double>(raised ? 0.3 : 1)(random)
                                                : std::normal_distribution<double>(raised ? 1.5 : 0, 1)(random));
      }
      x.push_back(row);
      y.push_back(t % 2);
    }
    for (const std::string kind : {"tied", "per-class"}) {
      Settings settings = generative(family);
      set_option(settings, "switches", kind);
      settings.p0 = 0.05;
      const Model model = fit(dataset(x, y), settings);
      EXPECT_EQ(model.report.status, Status::converged) << family << " " << kind << ": " << model.report.message;
      for (std::size_t i = 0; i < 6; ++i) {
        EXPECT_EQ(model.features[i].inclusion > 0.5, i < 2) << family << " " << kind << " " << i;
      }
    }
  }
}

TEST(Generative, TheOrderOfExamplesAndOfColumnsDoesNotMatter) {
  const Dataset data = drawn_classes("poisson", 3, 45, 4, 9);
  Rows turned;
  std::vector<double> y;
  for (Index t = data.examples() - 1; t >= 0; --t) {
    const NumbersView row = data.x.row(t).values;
    turned.push_back({row[3], row[2], row[1], row[0]});
    y.push_back(data.target.values[static_cast<std::size_t>(t)]);
  }
  const Dataset other = dataset(turned, y);
  const Model a = fit(data, generative("poisson")), b = fit(other, generative("poisson"));
  EXPECT_NEAR(a.report.objective, b.report.objective, 2e-6 * a.report.primal);
  const auto p = a.predict(data.x), q = b.predict(other.x);
  for (std::size_t t = 0; t < p.size(); ++t) {
    EXPECT_EQ(p[t].label, q[p.size() - 1 - t].label);
    EXPECT_NEAR(p[t].score, q[p.size() - 1 - t].score, 1e-2);
  }
}

TEST(Generative, AnExampleOfWeightTwoIsTheRowTwiceWithoutOffsets) {
  Dataset once = drawn_classes("bernoulli", 2, 30, 4, 5);
  once.weights.assign(30, 1.0);
  once.weights[4] = 2;
  Rows x;
  std::vector<double> y = once.target.values;
  for (Index t = 0; t < 30; ++t) {
    const NumbersView row = once.x.row(t).values;
    x.push_back({row[0], row[1], row[2], row[3]});
  }
  x.push_back(x[4]);
  y.push_back(y[4]);
  Settings settings = generative("bernoulli");
  settings.offsets = Offsets::none;
  settings.margin_location = 2;
  const Model a = fit(once, settings), b = fit(dataset(x, y), settings);
  EXPECT_NEAR(a.report.objective, b.report.objective, 2e-6 * a.report.primal);
}

TEST(Generative, SparseRowsAreTheDenseOnes) {
  const Dataset data = drawn_classes("poisson", 2, 40, 5, 13);
  Rows x;
  for (Index t = 0; t < 40; ++t) {
    const NumbersView row = data.x.row(t).values;
    x.push_back({row[0], row[1], row[2], row[3], row[4]});
  }
  const Model a = fit(data, generative("poisson")),
              b = fit(dataset(sparse(x), data.target.values), generative("poisson"));
  EXPECT_NEAR(a.report.objective, b.report.objective, 2e-6 * a.report.primal);
}

TEST(Generative, AMissingCellSaysNothing) {
  Dataset data = drawn_classes("gaussian", 2, 40, 2, 17);
  Rows x;
  for (Index t = 0; t < 40; ++t) {
    const NumbersView row = data.x.row(t).values;
    x.push_back({row[0], row[1], std::nan("")});
  }
  for (std::size_t t = 0; t < 40; t += 7) x[t][2] = 0.5;  // hardly ever there, and always the same
  for (std::size_t t = 0; t < 40; ++t) x[t][1] = t % 5 == 0 ? std::nan("") : x[t][1];
  const Model model = fit(dataset(x, data.target.values), generative("gaussian-diagonal"));
  EXPECT_EQ(model.report.status, Status::converged);
  const Matrix known = dense({{1.0, 1.5, std::nan("")}}), unknown = dense({{1.0, std::nan(""), std::nan("")}});
  EXPECT_TRUE(std::isfinite(model.predict(known)[0].score));
  EXPECT_TRUE(std::isfinite(model.predict(unknown)[0].score));
  EXPECT_NE(model.predict(known)[0].score, model.predict(unknown)[0].score);
  const Matrix empty = dense({{std::nan(""), std::nan(""), std::nan("")}});
  EXPECT_NEAR(model.predict(empty)[0].score, model.bias, 1e-12);
}

TEST(Generative, GuessesTheFamilyOfEachColumn) {
  const Dataset counts = drawn_classes("poisson", 2, 40, 2, 3), bits = drawn_classes("bernoulli", 2, 40, 1, 3),
                numbers = drawn_classes("gaussian", 2, 40, 1, 3);
  Rows x;
  for (Index t = 0; t < 40; ++t) {
    x.push_back({counts.x.row(t).values[0], bits.x.row(t).values[0], numbers.x.row(t).values[0]});
  }
  const Dataset data = dataset(x, counts.target.values);
  const auto families_of = [](const Model& model) {
    std::vector<std::string> names(model.features.size());
    for (const GenerativeMember& member : model.generative->members) {
      for (const Index i : member.columns) names[static_cast<std::size_t>(i)] = word_of(member.family);
    }
    return names;
  };
  EXPECT_EQ(families_of(fit(data, generative("auto"))),
            (std::vector<std::string>{"poisson", "bernoulli", "gaussian-diagonal"}));
  EXPECT_EQ(families_of(fit(data, generative("f0:exponential,f2:gaussian"))),
            (std::vector<std::string>{"exponential", "bernoulli", "gaussian"}));
}

TEST(Generative, ProbabilitiesSumToOneAndFollowTheLabel) {
  const Dataset data = drawn_classes("gaussian", 3, 90, 3, 23);
  Settings settings = generative("gaussian-diagonal");
  settings.calibration = CalibrationScores::folds;
  const Model model = fit(data, settings);
  for (const Prediction& each : model.predict(data.x)) {
    ASSERT_EQ(each.probabilities.size(), 3u);
    EXPECT_NEAR(std::accumulate(each.probabilities.begin(), each.probabilities.end(), 0.0), 1, 1e-12);
    EXPECT_EQ(each.probability, *std::max_element(each.probabilities.begin(), each.probabilities.end()));
    EXPECT_GT(each.sd, 0);
  }
}

TEST(Generative, ReadsBackBitForBit) {
  for (const std::string& family : kFamilies) {
    Settings settings = generative(family);
    if (family == "poisson") settings.switches = SwitchKind::tied;
    const Dataset data = drawn_classes(family, 3, 30, 3, 2);
    const Model model = fit(data, settings);
    const Model again = model_from_json(to_json(model), "memory");
    EXPECT_EQ(again, model) << family;
    EXPECT_EQ(again.predict(data.x)[0].score, model.predict(data.x)[0].score);
  }
}

TEST(Anomaly, TheOddRowScoresLowestAndItsColumnIsNamed) {
  for (const std::string family : {"gaussian-diagonal", "gaussian-full"}) {
    Dataset data = drawn_classes("gaussian", 1, 100, 3, 31);
    Settings settings;
    settings.model = ModelKind::generative;
    set_option(settings, "family", family);
    settings.task = Task::anomaly;
    const Model model = fit(data, settings);
    EXPECT_EQ(model.report.status, Status::converged) << model.report.message;
    const Matrix x = dense({{1, 1, 1}, {1, 9, 1}});
    const auto predictions = model.predict(x);
    EXPECT_EQ(predictions[0].label, 0);
    EXPECT_EQ(predictions[1].label, 1);
    EXPECT_LT(predictions[1].probability, 0.05);
    const auto parts = contributions(model, x);
    for (std::size_t t = 0; t < 2; ++t) {
      EXPECT_NEAR(std::accumulate(parts[t].begin(), parts[t].end(), 0.0), predictions[t].score, 1e-9);
    }
    const auto lowest = std::min_element(parts[1].begin(), parts[1].end()) - parts[1].begin();
    EXPECT_EQ(lowest, 1);
    // About alpha of the training examples lie below the threshold.
    Index odd = 0;
    for (const Prediction& each : model.predict(data.x)) odd += each.label;
    EXPECT_LE(odd, 12);
  }
}

TEST(Anomaly, EveryFamilyIsCertified) {
  for (const std::string& family : kFamilies) {
    Settings settings;
    settings.model = ModelKind::generative;
    set_option(settings, "family", family);
    settings.task = Task::anomaly;
    settings.c = 1;
    settings.calibration = CalibrationScores::left_out;
    const Dataset data = drawn_classes(family, 1, 60, 3, 8);
    const Model model = fit(data, settings);
    EXPECT_EQ(model.report.status, Status::converged) << family << ": " << model.report.message;
    const auto predicted = model.predict(data.x);
    const auto parts = contributions(model, data.x);
    for (std::size_t t = 0; t < predicted.size(); ++t) {
      EXPECT_NEAR(std::accumulate(parts[t].begin(), parts[t].end(), 0.0), predicted[t].score, 1e-9) << family;
    }
  }
}

std::string refusal(const Dataset& data, const Settings& settings) {
  try {
    fit(data, settings);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(GenerativeRefusals, NameTheCellAndTheRemedy) {
  EXPECT_EQ(refusal(dataset({{1, 2}, {-1, 0}}, {0, 1}), generative("poisson")),
            "memory: example 2: 'f0' is -1, but a value of family poisson must be a whole number >= 0; give the column "
            "another --family");
  EXPECT_NE(refusal(dataset({{1, 2}, {0, 0}}, {0, 1}), generative("bernoulli")).find("'f1' is 2"), std::string::npos);
  EXPECT_NE(refusal(dataset({{1, 2}, {0, 0}}, {0, 1}), generative("f9:poisson")).find("no such column"),
            std::string::npos);
  Settings settings = generative("poisson");
  settings.p0 = 0.1;
  EXPECT_NE(refusal(dataset({{1, 2}, {0, 0}}, {0, 1}), settings).find("add --switches tied"), std::string::npos);
  settings = generative("gaussian-full");
  settings.switches = SwitchKind::tied;
  EXPECT_NE(refusal(dataset({{1, 2}, {0, 0}}, {0, 1}), settings).find("none to select"), std::string::npos);
  settings = generative("poisson");
  settings.task = Task::regress;
  EXPECT_NE(refusal(dataset({{1, 2}, {0, 0}}, {0, 1}), settings).find("--task classify"), std::string::npos);
  settings = Settings();
  settings.family = FamilyKind::poisson;
  EXPECT_NE(refusal(dataset({{1, 2}, {0, 0}}, {0, 1}), settings).find("option of --model generative"),
            std::string::npos);
}

// One example of a class, constant columns, more columns than examples: the prior keeps every covariance regular.
TEST(Generative, AConstantColumnSaysNothing) {
  const Dataset data = drawn_classes("gaussian", 3, 37, 4, 6);
  Rows x;
  for (Index t = 0; t < 37; ++t) {
    const NumbersView row = data.x.row(t).values;
    x.push_back({1.1329234129887282, row[1], row[2], row[3]});  // 37 of it do not sum to 37 times it
  }
  for (const std::string family : {"gaussian", "gaussian-diagonal", "gaussian-full"}) {
    for (const std::string switches : {"none", "tied", "per-class"}) {
      if (family == "gaussian-full" && switches != "none") continue;
      Settings settings = generative(family);
      set_option(settings, "switches", switches);
      if (switches != "none") settings.p0 = 0.1;
      const Model model = fit(dataset(x, data.target.values), settings);
      EXPECT_EQ(model.report.status, Status::converged) << family << switches << model.report.message;
      EXPECT_GT(model.report.objective, 0.01) << family << switches;
    }
  }
  for (std::vector<double>& row : x) row[0] = 1e8 + 1e-4 * row[1];
  for (const std::string family : {"gaussian-diagonal", "gaussian-full"}) {
    EXPECT_NE(refusal(dataset(x, data.target.values), generative(family)).find("--scale standard"), std::string::npos);
    Settings settings = generative(family);
    settings.scale = ScaleKind::standard;
    EXPECT_EQ(fit(dataset(x, data.target.values), settings).report.status, Status::converged) << family;
  }
}

TEST(Generative, FitsWhereTheDataAloneWouldBeSingular) {
  const Dataset data = dataset({{1, 5, 0, 2}, {2, 5, 0, 1}, {1.5, 5, 0, 7}}, {0, 1, 1});
  for (const std::string family : {"gaussian", "gaussian-diagonal", "gaussian-full"}) {
    const Model model = fit(data, generative(family));
    EXPECT_EQ(model.report.status, Status::converged) << family << ": " << model.report.message;
    EXPECT_TRUE(std::isfinite(model.predict(data.x)[0].score));
  }
}

}  // namespace
}  // namespace medlar::test
