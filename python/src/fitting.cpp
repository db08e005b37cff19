// fit() and cross_validate() without the interpreter's lock. Each returns its result and what Python raised meanwhile
// (Ctrl-C, an error of the callback), so that the best certified model is not lost.
#include <pybind11/stl.h>

#include "arrays.hpp"
#include "watcher.hpp"

namespace medlar::python {
namespace {

py::tuple fit_watched(const Dataset& data, const Settings& settings, py::object callback) {
  Watcher watcher(std::move(callback));
  std::optional<Model> model;
  {
    const py::gil_scoped_release unlocked;
    model = fit(data, settings, &watcher);
  }
  return py::make_tuple(std::move(*model), watcher.error());
}

// The model of each value of a sweep, each fit begun from the one before.
py::tuple fit_along_watched(const Dataset& data, const Settings& settings, const std::string& over,
                            const py::object& values, py::object callback) {
  const std::vector<double> swept = vector_of<double>(values, "values");
  Watcher watcher(std::move(callback));
  std::vector<Model> models;
  {
    const py::gil_scoped_release unlocked;
    fit_along(
        data, settings, over, swept, [&](const Model& model) { models.push_back(model); }, &watcher);
  }
  py::list steps;
  for (Model& model : models) steps.append(std::move(model));
  return py::make_tuple(steps, watcher.error());
}

// A model of latent labels with further examples without labels.
py::tuple transduce_watched(const Model& model, const Dataset& data, py::object callback) {
  Watcher watcher(std::move(callback));
  std::optional<Model> wider;
  {
    const py::gil_scoped_release unlocked;
    wider = transduce(model, data, &watcher);
  }
  return py::make_tuple(std::move(*wider), watcher.error());
}

py::dict score_of(const CandidateScore& score) {
  py::dict row;
  row["p0"] = score.candidate.p0;
  row["c"] = score.candidate.c;
  row["folds"] = score.folds;
  row["mean"] = score.mean;
  row["standard_error"] = score.standard_error;
  row["selected"] = score.selected;
  row["converged"] = score.converged;
  return row;
}

using Grid = std::vector<std::pair<double, std::optional<double>>>;

py::tuple cross_validate_watched(const Dataset& data, const Settings& settings, const Grid& grid,
                                 const py::object& folds, py::object callback) {
  const std::vector<Index> fold_of = vector_of<Index>(folds, "folds");
  std::vector<Candidate> candidates;
  for (const auto& [p0, c] : grid) candidates.push_back({p0, c});
  Watcher watcher(std::move(callback));
  CrossValidation tuned;
  {
    const py::gil_scoped_release unlocked;
    tuned = cross_validate(data, settings, candidates, fold_of, held_out_score, &watcher);
  }
  py::list scores;
  for (const CandidateScore& score : tuned.scores) scores.append(score_of(score));
  py::dict result;
  result["metric"] = tuned.metric;
  result["scores"] = scores;
  result["best"] = tuned.best;
  result["interrupted"] = tuned.interrupted;
  return py::make_tuple(result, watcher.error());
}

}  // namespace

void add_fitting(py::module_& module) {
  module.def("fit", &fit_watched, py::arg("data"), py::arg("settings"), py::arg("callback") = py::none(),
             "The model, and what was raised while it was fitted or None.");
  module.def("fit_along", &fit_along_watched, py::arg("data"), py::arg("settings"), py::arg("over"), py::arg("values"),
             py::arg("callback") = py::none(), "The models of a sweep, and what was raised meanwhile or None.");
  module.def("transduce", &transduce_watched, py::arg("model"), py::arg("data"), py::arg("callback") = py::none(),
             "The model with further unlabelled examples, and what was raised meanwhile or None.");
  module.def("cross_validate", &cross_validate_watched, py::arg("data"), py::arg("settings"), py::arg("candidates"),
             py::arg("folds"), py::arg("callback") = py::none(),
             "metric, scores, best, interrupted; and what was raised meanwhile or None.");
}

}  // namespace medlar::python
