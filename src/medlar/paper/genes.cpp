// Table 2: the expression of genes in one renal cell line from the other lines.   [MED 5]
#include <fmt/format.h>

#include <cmath>

#include "medlar/error.hpp"
#include "medlar/io.hpp"
#include "medlar/metrics.hpp"
#include "medlar/paper/exhibits.hpp"
#include "medlar/paper/least_squares.hpp"
#include "medlar/paper/splits.hpp"

namespace medlar {
namespace {

constexpr Index gene_training = 50;

// The transposed table: genes are examples, cell lines are features, and the first renal line is the target.
Dataset genes(const std::string& path, Index threads) {
  ReadOptions reading;
  reading.target = "class";
  reading.threads = threads;
  const Dataset lines = read_dataset(path, reading);
  Index renal = -1;
  if (!lines.target.numeric) {
    for (Index t = 0; t < lines.examples() && renal < 0; ++t) {
      const Column code = lines.target.codes[static_cast<std::size_t>(t)];
      if (code >= 0 && lines.target.labels[static_cast<std::size_t>(code)] == "RENAL") renal = t;
    }
  }
  if (renal < 0) throw DataError(fmt::format("{}: no row has the class RENAL; table 2 needs NCI60 data", path));
  const Index count = lines.features(), others = lines.examples() - 1;
  std::vector<double> x(static_cast<std::size_t>(count * others));
  Dataset data;
  data.source = path;
  data.target.present = data.target.numeric = true;
  data.target.values.assign(static_cast<std::size_t>(count), 0);
  Index column = 0;
  for (Index t = 0; t < lines.examples(); ++t) {
    for_each(lines.x.row(t), [&](Index gene, double value) {
      if (t == renal) {
        data.target.values[static_cast<std::size_t>(gene)] = value;
      } else {
        x[static_cast<std::size_t>(gene * others + column)] = value;
      }
    });
    if (t == renal) continue;
    data.names.push_back(fmt::format("line {}", t + 1));
    data.schema.columns.push_back({data.names.back(), {}, {}});
    ++column;
  }
  data.x = Matrix::dense(count, others, Numbers(std::move(x)));
  data.schema.format = "csv";
  data.schema.target = "y";
  data.schema.features = others;
  return data;
}

}  // namespace

Exhibit gene_losses(const PaperOptions& options, Observer* observer) {
  Exhibit exhibit;
  exhibit.title = "Gene expression: test loss";
  exhibit.paper =
      "Predicts the expression of genes in one renal cancer line from the other lines; 50 genes to train on, the "
      "others to test. Its numbers are not quoted: there was no copy of the paper to take them from.";
  if (options.nci60.empty()) {
    exhibit.skipped =
        "Skipped: it needs the NCI60 data, which is not shipped; give it with --nci60 FILE (tools/nci60 writes one "
        "from "
        "the Python package ISLP).";
    return exhibit;
  }
  const Dataset data = genes(options.nci60, options.threads);
  const Index splits = splits_of(options);
  Sample least, plain, selecting;
  for (Index number = 0; number < splits; ++number) {
    const Split split = random_split(data, gene_training, options.seed, number);
    double epsilon = 0;
    for (const double p0 : {0.00001, 0.99999}) {
      Settings settings;
      settings.margin = MarginKind::tube;
      settings.p0 = p0;
      settings.threads = options.threads;
      const Model model = certified_fit(split.training, settings, observer);
      epsilon = *model.settings.epsilon;
      const auto predicted = model.predict(split.test.x);
      (p0 < 0.5 ? selecting : plain).add(regression_metrics(predicted, split.test.target.values, epsilon).eps_loss);
    }
    const auto fitted = least_squares(split.training.x, split.training.target.values, split.test.x);
    std::vector<Prediction> wrapped(fitted.size());
    for (std::size_t t = 0; t < fitted.size(); ++t) wrapped[t].score = fitted[t];
    least.add(regression_metrics(wrapped, split.test.target.values, epsilon).eps_loss);
  }
  exhibit.ours = fmt::format(
      "NCI60 as given: {} genes, the first renal line from {} others, {} genes to train on, {} random splits; mean "
      "loss beyond "
      "ε = 0.1 sd(y), in log ratios.",
      data.examples(), data.features(), gene_training, splits);
  exhibit.tables = {{"table2",
                     {"model", "loss", "standard error"},
                     {{"least squares", {least.mean(), least.standard_error()}},
                      {"MED, p0 = 0.99999", {plain.mean(), plain.standard_error()}},
                      {"MED, p0 = 0.00001", {selecting.mean(), selecting.standard_error()}}}}};
  const Sample gain = difference(least, selecting), over_plain = difference(plain, selecting);
  exhibit.claims = {
      {"MED with selection predicts better than least squares.",
       sign_of(gain) == Sign::positive ? "holds" : "does not hold",
       fmt::format("Its loss is {:.2f} of that of least squares ({} against {}).", selecting.mean() / least.mean(),
                   selecting.text(), least.text()),
       "our question"},
      {"Selection improves the regression.", sign_of(over_plain) == Sign::positive ? "holds" : "does not hold",
       fmt::format("Without selection (p0 = 0.99999) the loss is {}; selection lowers it by {}.", plain.text(),
                   over_plain.text()),
       "abstract: selection brings substantial improvements in practice"}};
  return exhibit;
}

}  // namespace medlar
