// sin(x)/x from 100 points on [-10, 10], without noise and with noise of sd 0.2, by a polynomial kernel of order 8
// under the epsilon-tube   [MED fig. 3]. Draws both fits: sinc [FILE.svg]
#include <cmath>
#include <cstdio>
#include <medlar/medlar.hpp>
#include <random>
#include <string>
#include <vector>

namespace {

double sinc(double x) {
  return x == 0 ? 1 : std::sin(x) / x;
}

struct Curve {
  std::vector<double> x, y, fitted, sd;
  double error = 0;  // root mean square, against sin(x)/x itself
};

Curve fit_points(double noise) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  Curve curve;
  for (int t = 0; t < 100; ++t) {
    curve.x.push_back(-10 + 20.0 * t / 99);
    curve.y.push_back(sinc(curve.x.back()) + noise * normal(random));
  }
  medlar::Dataset data;
  data.source = "sinc";
  data.x = medlar::Matrix::dense(100, 1, curve.x);
  data.names = {"x"};
  data.target.present = data.target.numeric = true;
  data.target.values = curve.y;

  medlar::Settings settings;
  settings.task = medlar::Task::regress;
  settings.model = medlar::ModelKind::kernel;
  settings.kernel = medlar::KernelKind::poly;
  settings.degree = 8;
  settings.scale = medlar::ScaleKind::maxabs;  // x in [-1, 1], where powers keep their digits
  settings.gamma = 1;
  settings.coef0 = 1;
  settings.epsilon = noise > 0 ? 0.1 : 0.05;
  settings.c = noise > 0 ? 20 : 100;
  settings.prior_variance = noise > 0 ? 10 : 1;
  const medlar::Model model = medlar::fit(data, settings);
  std::printf("noise %.1f: %s, %zu of 100 points support it\n", noise, model.report.message.c_str(),
              model.support.size());
  for (const medlar::Prediction& each : model.predict(data.x)) curve.fitted.push_back(each.score);
  for (std::size_t t = 0; t < 100; ++t) curve.error += std::pow(curve.fitted[t] - sinc(curve.x[t]), 2) / 100;
  curve.error = std::sqrt(curve.error);
  std::printf("  root mean square distance from sin(x)/x: %.4f\n", curve.error);
  return curve;
}

// One panel: points, the truth in grey, the fit in blue.
std::string panel(const Curve& curve, double left, const std::string& title) {
  const auto place = [&](double x, double y) {
    char text[64];
    std::snprintf(text, sizeof text, "%.1f,%.1f ", left + 200 + 18 * x, 200 - 130 * y);
    return std::string(text);
  };
  std::string truth, fitted, points;
  for (std::size_t t = 0; t < curve.x.size(); ++t) {
    truth += place(curve.x[t], sinc(curve.x[t]));
    fitted += place(curve.x[t], curve.fitted[t]);
    char point[96];
    std::snprintf(point, sizeof point, "<circle cx='%.1f' cy='%.1f' r='2'/>\n", left + 200 + 18 * curve.x[t],
                  200 - 130 * curve.y[t]);
    points += point;
  }
  return "<text x='" + std::to_string(left + 200) + "' y='24' text-anchor='middle'>" + title + "</text>\n" + points +
         "<polyline fill='none' stroke='#999' stroke-width='1' points='" + truth + "'/>\n" +
         "<polyline fill='none' stroke='#1660b0' stroke-width='2' points='" + fitted + "'/>\n";
}

}  // namespace

int main(int argc, char** argv) {
  const Curve clean = fit_points(0), noisy = fit_points(0.2);
  if (argc > 1) {
    medlar::write_file_atomically(
        argv[1],
        "<svg xmlns='http://www.w3.org/2000/svg' width='800' height='300' font-family='sans-serif' "
        "font-size='14'>\n<rect width='800' height='300' fill='white'/>\n" +
            panel(clean, 0, "without noise") + panel(noisy, 400, "noise of sd 0.2") + "</svg>\n");
    std::printf("drawn in %s\n", argv[1]);
  }
  return clean.error < 0.1 && noisy.error < 0.15 ? 0 : 1;
}
