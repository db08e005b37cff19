// Figure 3: regression of the sinc function by a polynomial, without and with noise.   [MED 3.1]
#include <fmt/format.h>

#include <cmath>
#include <random>

#include "medlar/paper/exhibits.hpp"
#include "medlar/paper/splits.hpp"

namespace medlar {
namespace {

constexpr Index examples = 100;
constexpr double reach = 10, noise = 0.2;

double truth(double x) {
  return x == 0 ? 1 : std::sin(x) / x;
}

// Written out, because normal variates differ between standard libraries.
class Normal {
 public:
  explicit Normal(std::uint64_t seed) : random_(seed) {}
  double operator()() {
    double sum = -6;
    for (int k = 0; k < 12; ++k) sum += static_cast<double>(random_() >> 11) * 0x1p-53;
    return sum;  // mean 0, variance 1, near enough to normal
  }

 private:
  std::mt19937_64 random_;
};

Dataset sample(double spread, std::uint64_t seed) {
  Normal normal(seed);
  Dataset data;
  data.source = "sinc";
  std::vector<double> x;
  for (Index t = 0; t < examples; ++t) {
    const double at = -reach + 2 * reach * static_cast<double>(t) / static_cast<double>(examples - 1);
    x.push_back(at / reach);
    data.target.values.push_back(truth(at) + spread * normal());
  }
  data.x = Matrix::dense(examples, 1, Numbers(std::move(x)));
  data.names = {"x"};
  data.target.present = data.target.numeric = true;
  data.schema.format = "csv";
  data.schema.target = "y";
  data.schema.columns = {{"x", {}, {}}};
  data.schema.features = 1;
  return data;
}

Matrix fine_grid() {
  std::vector<double> x;
  for (int k = 0; k <= 400; ++k) x.push_back(-1 + k / 200.0);
  return Matrix::dense(401, 1, Numbers(std::move(x)));
}

}  // namespace

Exhibit sinc(const PaperOptions& options, Observer* observer) {
  Exhibit exhibit;
  exhibit.title = "Regression of sinc(x), without and with noise";
  exhibit.paper = "Regression of sinc(x) = sin(x)/x.";
  exhibit.ours = fmt::format(
      "A polynomial of degree 8 (--expand powers:8) on {} points of [-{}, {}], tube ε = 0.05, no selection; noise of "
      "sd {}. "
      "The error is taken against the function itself, on a fine grid.",
      examples, reach, reach, noise);
  const Matrix grid = fine_grid();
  std::vector<double> errors;
  for (const double spread : {0.0, noise}) {
    const Dataset data = sample(spread, static_cast<std::uint64_t>(options.seed));
    Settings settings;
    settings.margin = MarginKind::tube;
    settings.task = Task::regress;
    settings.expand = {ExpansionKind::powers, 8};
    settings.p0 = 1;
    settings.epsilon = 0.05;
    settings.prior_variance = 1000;
    settings.threads = options.threads;
    const Model model = certified_fit(data, settings, observer);
    const auto predicted = model.predict(grid);
    Series exact{"sinc", {}, {}, Series::Style::dashed}, fitted{"fit", {}, {}, Series::Style::line},
        points{"examples", {}, data.target.values, Series::Style::dots};
    double squares = 0;
    for (std::size_t k = 0; k < predicted.size(); ++k) {
      const double x = reach * (-1 + static_cast<double>(k) / 200.0);
      exact.x.push_back(x);
      exact.y.push_back(truth(x));
      fitted.x.push_back(x);
      fitted.y.push_back(predicted[k].score);
      squares += (predicted[k].score - truth(x)) * (predicted[k].score - truth(x));
    }
    for (Index t = 0; t < examples; ++t) {
      points.x.push_back(-reach + 2 * reach * static_cast<double>(t) / static_cast<double>(examples - 1));
    }
    errors.push_back(std::sqrt(squares / static_cast<double>(predicted.size())));
    exhibit.charts.push_back({spread == 0 ? "figure3-clean" : "figure3-noisy",
                              spread == 0 ? "Without noise" : "With Gaussian noise",
                              "x",
                              "y",
                              {std::move(points), std::move(exact), std::move(fitted)}});
  }
  exhibit.tables = {{"figure3", {"data", "rms error"}, {{"without noise", {errors[0]}}, {"with noise", {errors[1]}}}}};
  exhibit.claims = {
      {"MED regression approximates sinc without noise and with it.",
       errors[0] < 0.1 && errors[1] < noise / 2 ? "holds" : "does not hold",
       fmt::format("Root mean square error against the function: {:.3g} without noise, {:.3g} with noise of sd "
                   "{}. What is left is mostly what a polynomial of degree 8 cannot follow.",
                   errors[0], errors[1], noise),
       "our question"}};
  return exhibit;
}

}  // namespace medlar
