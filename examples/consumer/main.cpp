// A program that uses an installed Medlar: four points, two features, of which only the first tells the classes apart.
#include <cstdio>
#include <medlar/medlar.hpp>

int main() {
  medlar::Dataset data;
  data.x = medlar::Matrix::dense(4, 2, {2, 0.1, 1, -0.1, -1, 0.1, -2, -0.1});
  data.names = {"signal", "noise"};
  data.target = {.present = true, .numeric = true, .values = {1, 1, -1, -1}, .labels = {}, .codes = {}};
  const medlar::Model model = medlar::fit(data);
  for (const auto& f : model.features) std::printf("%-6s %.3f %+.3f\n", f.name.c_str(), f.inclusion, f.coefficient);
  return model.report.status == medlar::Status::converged && model.predict(data.x)[3].label == 0 ? 0 : 1;
}
