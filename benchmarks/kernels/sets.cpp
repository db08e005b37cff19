#include "sets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>

#include "medlar/error.hpp"
#include "medlar/folds.hpp"
#include "medlar/io.hpp"
#include "medlar/prepare/transforms.hpp"

namespace medlar::bench {

namespace {

struct Recipe {
  std::string file, target;
  ScaleKind scale = ScaleKind::none;
  std::vector<std::string> ignore;
  Index rows;  // the first so many; 0: all
  double gamma, C;
  std::function<bool(const std::string& label)> positive;
};

bool upper_half(const std::string& label, double limit) {
  return std::stod(label) > limit;
}

const std::map<std::string, Recipe>& recipes() {
  static const std::map<std::string, Recipe> all{
      {"a9a", {"a9a.libsvm.xz", "", ScaleKind::none, {}, 10000, 1.0 / 32, 1, [](auto& l) { return upper_half(l, 0); }}},
      {"mushrooms",
       {"mushrooms.libsvm", "", ScaleKind::none, {}, 0, 1.0 / 32, 1, [](auto& l) { return upper_half(l, 1.5); }}},
      {"news",
       {"20news_w1000_train_11256x1000.libsvm.xz",
        "",
        ScaleKind::maxabs,
        {},
        0,
        0.1,
        10,
        [](auto& l) { return upper_half(l, 10); }}},
      {"usps",
       {"usps_train_7291x256.csv.xz",
        "1",
        ScaleKind::none,
        {},
        0,
        1.0 / 128,
        10,
        [](auto& l) { return upper_half(l, 4); }}},
      {"covtype",
       {"covtype_kaggle_train_15120.csv.xz",
        "Cover_Type",
        ScaleKind::standard,
        {"Id"},
        0,
        1.0 / 54,
        10,
        [](auto& l) { return upper_half(l, 3); }}},
      {"letter",
       {"letter_recognition.csv", "lettr", ScaleKind::standard, {}, 0, 1.0 / 16, 10, [](auto& l) { return l >= "N"; }}},
  };
  return all;
}

}  // namespace

std::vector<std::string> kernel_set_names() {
  return {"a9a", "mushrooms", "news", "usps", "covtype", "letter"};
}

KernelSet load_kernel_set(const std::string& folder, const std::string& name) {
  const auto found = recipes().find(name);
  if (found == recipes().end()) throw OptionError(fmt::format("set '{}' is unknown", name));
  const Recipe& recipe = found->second;
  ReadOptions options;
  options.target = recipe.target;
  options.ignore = recipe.ignore;
  Dataset data = read_dataset(folder + "/" + recipe.file, options);
  if (recipe.rows > 0) {
    std::vector<Index> rows(static_cast<std::size_t>(std::min(recipe.rows, data.examples())));
    std::iota(rows.begin(), rows.end(), Index{0});
    data = subset(data, rows);
  }
  if (recipe.scale != ScaleKind::none) data.x = apply(make_scale(data.x, recipe.scale, true), data.x);
  Target target;
  target.present = target.numeric = true;
  for (Index t = 0; t < data.examples(); ++t) {
    const auto at = static_cast<std::size_t>(t);
    const std::string label = data.target.numeric ? fmt::format("{}", data.target.values[at])
                                                  : data.target.labels[static_cast<std::size_t>(data.target.codes[at])];
    target.values.push_back(recipe.positive(label) ? 1.0 : -1.0);
  }
  data.target = std::move(target);
  return {name, std::move(data), recipe.gamma, recipe.C};
}

}  // namespace medlar::bench
