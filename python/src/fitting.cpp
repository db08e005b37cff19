// fit() and tune() without the interpreter's lock. Each returns its result together with any exception that Python
// raised meanwhile (Ctrl-C, an error of the callback), so that the best certified model is not lost.
#include <pybind11/stl.h>

#include <chrono>

#include "arrays.hpp"
#include "watcher.hpp"

namespace medlar::python {
namespace {

// Works without the interpreter's lock. Ctrl-C before anything is certified ends the work without a result.
template <class Work>
void without_lock(Work&& work) {
  const py::gil_scoped_release unlocked;
  try {
    work();
  } catch (const Interrupted&) {
  }
}

// The same, if the watcher holds what was raised. A late Ctrl-C, which nothing asks about any more, is handled at the
// end. Otherwise Python would raise it before the result has a name.
template <class Work>
void without_lock(Watcher& watcher, Work&& work) {
  without_lock(std::forward<Work>(work));
  watcher.look();
}

py::tuple fit_watched(const Dataset& data, const Settings& settings, py::object callback) {
  Watcher watcher(std::move(callback));
  std::optional<Model> model;
  without_lock(watcher, [&] { model = fit(data, settings, &watcher); });
  return py::make_tuple(std::move(model), watcher.error());
}

Swept swept_of(const std::string& over) {
  if (const auto swept = read_word<Swept>(over)) return *swept;
  throw OptionError("a path over '" + over + "' is not known; use p0, c or prior-variance");
}

// The model of each value of a sweep; each fit starts from the one before.
py::tuple fit_along_watched(const Dataset& data, const Settings& settings, const std::string& over,
                            const py::object& values, py::object callback) {
  const std::vector<double> swept = vector_of<double>(values, "values");
  Watcher watcher(std::move(callback));
  std::vector<Model> models;
  without_lock(watcher, [&] {
    fit_along(
        data, settings, swept_of(over), swept, [&](const Model& model) { models.push_back(model); }, &watcher);
  });
  py::list steps;
  for (Model& model : models) steps.append(std::move(model));
  return py::make_tuple(steps, watcher.error());
}

// A model of latent labels with further examples without labels.
py::tuple transduce_watched(const Model& model, const Dataset& data, py::object callback) {
  Watcher watcher(std::move(callback));
  std::optional<Model> wider;
  without_lock(watcher, [&] { wider = transduce(model, data, &watcher); });
  return py::make_tuple(std::move(wider), watcher.error());
}

// A candidate as Python has it: p0, c, prior_variance, and of a relaxed refit kept, ranking_p0, ranking_variance; None
// for that of the settings.
py::dict dict_of(const TuneCandidate& candidate) {
  py::dict point;
  point["p0"] = candidate.p0;
  point["c"] = candidate.c;
  point["prior_variance"] = candidate.prior_variance;
  point["epsilon"] = candidate.epsilon;
  point["ranks_lists"] = candidate.ranks_lists;
  point["margin"] = candidate.margin ? py::cast(word_of(*candidate.margin)) : py::object(py::none());
  point["competes"] = candidate.competes;
  const Ranking* const ranking = candidate.ranking ? &*candidate.ranking : nullptr;
  point["kept"] = ranking != nullptr ? py::cast(ranking->kept) : py::object(py::none());
  point["ranking_p0"] = ranking != nullptr ? py::cast(ranking->p0) : py::object(py::none());
  point["ranking_variance"] = ranking != nullptr ? py::cast(ranking->prior_variance) : py::object(py::none());
  return point;
}

py::list list_of(const std::vector<TuneCandidate>& candidates) {
  py::list grid;
  for (const TuneCandidate& each : candidates) grid.append(dict_of(each));
  return grid;
}

TuneCandidate candidate_of(const py::dict& point) {
  const auto number = [&](const char* name) {
    return point.contains(name) ? point[name].cast<std::optional<double>>() : std::optional<double>();
  };
  TuneCandidate candidate{number("p0").value_or(1), number("c"), number("prior_variance"), {}, number("epsilon")};
  const auto kept = point.contains("kept") ? point["kept"].cast<std::optional<Index>>() : std::optional<Index>();
  candidate.ranks_lists = point.contains("ranks_lists") && point["ranks_lists"].cast<bool>();
  if (point.contains("margin") && !point["margin"].is_none()) {
    candidate.margin = read_word<MarginKind>(point["margin"].cast<std::string>());
  }
  candidate.competes = !point.contains("competes") || point["competes"].cast<bool>();
  if (kept) candidate.ranking = Ranking{number("ranking_p0").value_or(Ranking{}.p0), number("ranking_variance"), *kept};
  return candidate;
}

py::dict dict_of(const Tuning& tuned) {
  py::list scores;
  for (const TuneScore& score : tuned.scores) {
    py::dict row = dict_of(score.candidate);
    row["folds"] = score.folds;
    row["mean"] = score.mean;
    row["standard_error"] = score.standard_error;
    row["selected"] = score.selected;
    row["converged"] = score.converged;
    row["dropped"] = score.dropped;
    scores.append(row);
  }
  py::dict result;
  result["metric"] = tuned.metric;
  result["scores"] = scores;
  result["best"] = tuned.best;
  result["one_se"] = tuned.one_se;
  result["interrupted"] = tuned.interrupted;
  result["out_of_time"] = tuned.out_of_time;
  return result;
}

py::tuple usual_grid(const Dataset& data, const Settings& settings, std::optional<bool> relaxed) {
  Watcher watcher{py::none()};
  std::vector<TuneCandidate> candidates;
  without_lock(watcher, [&] { candidates = usual_candidates(data, settings, relaxed, &watcher); });
  return py::make_tuple(list_of(candidates), watcher.error());
}

py::tuple relaxed_grid(const Dataset& data, const Settings& settings, const std::vector<Index>& kept,
                       const std::vector<double>& prior_variances) {
  Watcher watcher{py::none()};
  std::vector<TuneCandidate> candidates;
  without_lock(watcher, [&] { candidates = relaxed_candidates(data, settings, kept, prior_variances, &watcher); });
  return py::make_tuple(list_of(candidates), watcher.error());
}

py::tuple tune_watched(const Dataset& data, const Settings& settings, const std::vector<py::dict>& grid,
                       const std::vector<std::pair<py::object, py::object>>& folds, const std::string& metric,
                       bool exhaustive, Index repeats, py::object callback) {
  TuneOptions how;
  how.exhaustive = exhaustive;
  for (const auto& [fitted, left_out] : folds) {
    how.given.push_back({vector_of<Index>(fitted, "folds"), vector_of<Index>(left_out, "folds")});
  }
  std::vector<TuneCandidate> candidates;
  for (const py::dict& point : grid) candidates.push_back(candidate_of(point));
  const Measure measure = held_out_by(metric);
  Watcher watcher(std::move(callback));
  Tuning tuned;
  without_lock(watcher, [&] { tuned = tune(data, settings, candidates, how, measure, &watcher); });
  tuned.repeats = repeats;
  tuned.folds /= std::max<Index>(repeats, 1);
  return py::make_tuple(std::move(tuned), watcher.error());
}

// The model of the candidate that was chosen; it keeps the table of all.
py::tuple fit_chosen_watched(const Dataset& data, const Settings& settings, const Tuning& tuned, std::size_t chosen,
                             const std::string& recalibrate, py::object callback) {
  Watcher watcher(std::move(callback));
  std::optional<Model> model;
  Tuning taken = tuned;
  taken.chosen = chosen;
  taken.scores.at(chosen);  // refuses a place that is none
  const AnswerOptions how{read_word<CurveKind>(recalibrate)};
  without_lock(watcher, [&] { model = fit_answer(data, settings, taken, how, &watcher); });
  return py::make_tuple(std::move(model), watcher.error());
}

// The model with a curve from score to probability, by folds that are fitted with the same settings.
py::tuple recalibrated_watched(Model model, const Dataset& data, const Settings& settings, const std::string& kind,
                               py::object callback) {
  Watcher watcher(std::move(callback));
  const auto curve = read_word<CurveKind>(kind);
  if (!curve) throw OptionError("recalibrate = '" + kind + "' is none of folds, platt, isotonic");
  const auto fit_part = [&](const Dataset& part, Observer* observer) { return fit(part, settings, observer); };
  without_lock(watcher, [&] { model.recalibration = recalibrate(model, data, *curve, 5, fit_part, &watcher); });
  return py::make_tuple(std::move(model), watcher.error());
}

// What can be known of a candidate's model at once: the best certified pair after a few hundredths of a second. Nothing
// if preparing the data alone takes longer.
py::object fit_briefly(const Dataset& data, const Settings& settings, const py::dict& point) {
  struct Clock : Observer {
    void on_iteration(const TracePoint&) override { certified = true; }
    bool stop_requested() override {
      const auto spent = std::chrono::steady_clock::now() - start;
      if (!certified && spent >= std::chrono::milliseconds(90)) throw Interrupted();
      return spent >= std::chrono::milliseconds(30);
    }
    std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
    bool certified = false;
  } clock;
  const TuneCandidate candidate = candidate_of(point);
  std::optional<Model> model;
  without_lock([&] { model = fit_candidate(data, settings, candidate, &clock); });
  return py::cast(std::move(model));
}

// The model of all examples with its stability and, if asked for, its discoveries and clusters, as far as they were
// finished. None if it was stopped before two refits.
py::tuple stability_watched(const Dataset& given, const Settings& settings, Index refits, double share,
                            std::optional<Index> top, std::optional<double> threshold, std::optional<double> fdr,
                            std::optional<double> cluster, std::vector<Index> groups, bool own_strength,
                            py::object callback) {
  Watcher watcher(std::move(callback));
  Dataset data = given;
  data.fold_group = std::move(groups);
  std::optional<Model> model;
  without_lock(watcher, [&] {
    TrustOptions how{{refits, share, top, threshold}, {}, cluster};
    if (fdr) {
      how.knockoffs.emplace().fdr = *fdr;
      if (own_strength) how.knockoffs->strength.reset();
    }
    if (auto measured = fit_with_trust(data, settings, how, &watcher)) model = std::move(measured->model);
  });
  return py::make_tuple(std::move(model), watcher.error());
}

}  // namespace

void add_fitting(py::module_& module) {
  module.def("fit", &fit_watched, py::arg("data"), py::arg("settings"), py::arg("callback") = py::none(),
             "The model, None if nothing is certified yet; and what was raised while it was fitted or None.");
  module.def("fit_along", &fit_along_watched, py::arg("data"), py::arg("settings"), py::arg("over"), py::arg("values"),
             py::arg("callback") = py::none(), "The models of a sweep, and what was raised meanwhile or None.");
  module.def(
      "usual_range",
      [](const Dataset& data, const Settings& settings, const std::string& over) {
        const PathRange range = usual_range(data, settings, swept_of(over));
        return py::make_tuple(range.from, range.to);
      },
      py::arg("data"), py::arg("settings"), py::arg("over"), "Where a path goes unless told.");
  module.def("transduce", &transduce_watched, py::arg("model"), py::arg("data"), py::arg("callback") = py::none(),
             "The model with further unlabelled examples, and what was raised meanwhile or None.");
  py::class_<Tuning>(module, "Tuning", "What was tried, and how it fared.")
      .def_property_readonly(
          "table", [](const Tuning& tuned) { return dict_of(tuned); },
          "metric, scores, best, one_se, interrupted, out_of_time");
  module.def("usual_candidates", &usual_grid, py::arg("data"), py::arg("settings"),
             py::arg("relaxed") = std::optional<bool>(),
             "What tune tries unless told otherwise, and what was raised meanwhile or None.");
  module.def("relaxed_candidates", &relaxed_grid, py::arg("data"), py::arg("settings"), py::arg("kept"),
             py::arg("prior_variances"),
             "Refits of the best features, and what was raised; empty lists for the usual ones.");
  module.def("tune", &tune_watched, py::arg("data"), py::arg("settings"), py::arg("candidates"), py::arg("folds"),
             py::arg("metric") = "", py::arg("exhaustive") = false, py::arg("repeats") = 1,
             py::arg("callback") = py::none(), "The table of all candidates, and what was raised meanwhile or None.");
  module.def("fit_briefly", &fit_briefly, py::arg("data"), py::arg("settings"), py::arg("candidate"),
             "The model of a candidate, as far as it comes within some hundredths of a second; None if not at all.");
  module.def("stability", &stability_watched, py::arg("data"), py::arg("settings"), py::arg("refits"), py::arg("share"),
             py::arg("top"), py::arg("threshold"), py::arg("fdr"), py::arg("cluster"),
             py::arg("groups") = std::vector<Index>(), py::arg("own_strength") = false,
             py::arg("callback") = py::none(),
             "The model with what was measured, None if it was stopped; and what was raised meanwhile or None.");
  module.def("fit_chosen", &fit_chosen_watched, py::arg("data"), py::arg("settings"), py::arg("tuning"),
             py::arg("chosen"), py::arg("recalibrate") = "folds", py::arg("callback") = py::none(),
             "The answer with the candidate of that index, and what was raised meanwhile or None.");
  module.def("recalibrated", &recalibrated_watched, py::arg("model"), py::arg("data"), py::arg("settings"),
             py::arg("kind"), py::arg("callback") = py::none(),
             "The model with probabilities by folds, and what was raised meanwhile or None.");
  module.def("usual_repeats", &usual_repeats, py::arg("examples"), py::arg("several_labels"),
             "How often so many examples are cut into folds.");
}

}  // namespace medlar::python
