// A linear fit that is taken up again from a model, and that hands over its best model so far: solved in slices of
// time, each from the certified pair of the one before.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "medlar/error.hpp"
#include "medlar/models/kinds.hpp"
#include "medlar/models/linear/one_output_fit.hpp"
#include "medlar/options/vocabulary.hpp"
#include "medlar/problem/relay.hpp"

namespace medlar {

namespace {

void require_continuable(const Settings& settings) {
  if (settings.solver == SolverKind::coordinate || settings.solver == SolverKind::bounded_qp ||
      settings.solver == SolverKind::smo) {
    throw OptionError(fmt::format(
        "solver = {}, which begins every fit anew; use --solver auto with --checkpoint and --resume", settings.solver));
  }
}

}  // namespace

Neighbour OneOutputFit::neighbour(const Model& model) const {
  const bool same = model.settings.model == ModelKind::linear && model.task == settings_.task &&
                    model.labels == labels_ && model.examples == data_.examples() &&
                    model.transforms == prepared_.transforms && model.features.size() == prepared_.names.size() &&
                    std::equal(model.features.begin(), model.features.end(), prepared_.names.begin(),
                               [](const Feature& feature, const std::string& name) { return feature.name == name; });
  if (!same) {
    throw DataError(fmt::format(
        "resume: that model was fitted to other data, or with another task or other transforms ({} examples, "
        "{} features; here {} and {}); train without --resume",
        model.examples, model.features.size(), data_.examples(), prepared_.names.size()));
  }
  std::vector<double> by_row(static_cast<std::size_t>(data_.examples()), 0.0);
  for (std::size_t k = 0; k < model.support.size(); ++k) {
    by_row.at(static_cast<std::size_t>(model.support[k])) = model.multipliers[k];
  }
  Neighbour from;
  for (const Index row : examples_.rows) from.dual.beta.push_back(by_row[static_cast<std::size_t>(row)]);
  for (std::size_t k = 0; k < constraints_.example.size(); ++k) {
    const double beta = from.dual.beta[static_cast<std::size_t>(constraints_.example[k])];
    from.dual.lambda.push_back(std::max(0.0, constraints_.sign[k] * beta));
  }
  from.dual.v = statistics(rows(), from.dual.beta);
  for (const Feature& feature : model.features) from.primal.w.push_back(feature.coefficient);
  if (filled_) from.primal.w = filled_->of_filled(from.primal.w);
  from.primal.v.resize(from.primal.w.size());
  from.primal.f = scores(rows(), from.primal.w);
  from.primal.bias[0] = model.bias - centre_ + dot_of_shift(from.primal.w);
  from.same_margins = same_margins(model.settings, settings_);
  return from;
}

Model OneOutputFit::continued(Observer* observer, const Continuation& continuation) const {
  require_continuable(settings_);
  Neighbour from;
  bool begun = continuation.from != nullptr;
  if (begun) from = neighbour(*continuation.from);
  Report report;
  double seconds = continuation.first_seconds;
  int slices = 0;
  while (true) {
    Settings slice = what_is_left(settings_, report);
    if (continuation.keep) slice.max_seconds = std::min(seconds, slice.max_seconds);
    Solution solution = solve(slice, observer, begun ? &from : nullptr);
    report = slices++ == 0 ? std::move(solution.report) : joined_report(report, std::move(solution.report));
    solution.report = report;
    const Model so_far = model(settings_, solution);
    if (continuation.keep) continuation.keep(so_far);
    const bool more = report.status == Status::limit && report.passes < settings_.max_passes &&
                      report.seconds < settings_.max_seconds;
    if (!more) return so_far;
    from = neighbour_of(std::move(solution));
    begun = true;
    seconds *= 2;
  }
}

Model continue_linear(const Dataset& data, const Settings& asked, Observer* observer,
                      const Continuation& continuation) {
  if (asked.model != ModelKind::linear || has_several_classes(data, asked)) {
    throw OptionError(
        "--checkpoint and --resume are for linear models of two labels or a real target; leave them out here");
  }
  return OneOutputFit(data, asked).continued(observer, continuation);
}

}  // namespace medlar
