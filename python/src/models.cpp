// A fitted model and its report as Python sees them: numbers as arrays, pickled by the text of the model file.
#include <pybind11/operators.h>
#include <pybind11/stl.h>

#include <algorithm>

#include "arrays.hpp"

namespace medlar::python {
namespace {

template <class Value, class Read>
auto of_features(Read read) {
  return [read](const Model& model) { return column_of<Value>(model.features, read); };
}

py::dict dict_of(const Transform& transform) {
  py::dict step;
  step["kind"] = word_of(transform.kind);
  step["factors"] = transform.factors;
  step["shift"] = array_of(transform.shift);
  step["factor"] = array_of(transform.factor);
  return step;
}

py::list transforms_of(const Model& model) {
  py::list steps;
  for (const Transform& transform : model.transforms) steps.append(dict_of(transform));
  return steps;
}

// Only these, because the products of an expansion are many.
py::object last_transform_of(const Model& model) {
  if (model.transforms.empty()) return py::none();
  return dict_of(model.transforms.back());
}

// One row per label, one column per feature; nothing for two labels.
py::array_t<double> class_coefficients(const Model& model) {
  if (!model.multiclass) return py::array_t<double>(std::vector<py::ssize_t>{0, 0});
  const auto classes = std::ssize(model.multiclass->class_bias), features = std::ssize(model.features);
  py::array_t<double> table({classes, features});
  auto cell = table.mutable_unchecked<2>();
  const double* from = model.multiclass->coefficient.data();
  for (py::ssize_t i = 0; i < features; ++i) {
    for (py::ssize_t k = 0; k < classes; ++k) cell(k, i) = *from++;
  }
  return table;
}

std::vector<double> class_biases(const Model& model) {
  if (model.multiclass) return model.multiclass->class_bias;
  return model.generative ? model.generative->class_bias : std::vector<double>();
}

// Family, names of its features and inclusion (one, or one per class; empty without switches) of each member.
py::list members_of(const Model& model) {
  py::list members;
  if (!model.generative) return members;
  for (const GenerativeMember& member : model.generative->members) {
    std::vector<std::string> names;
    for (const Index i : member.columns) names.push_back(model.features.at(static_cast<std::size_t>(i)).name);
    members.append(py::make_tuple(word_of(member.family), names, member.inclusion));
  }
  return members;
}

// The numbers of one row after the other, each of as many columns as the first.
template <class Rows>
py::array_t<double> table_of(const Rows& rows, std::size_t columns) {
  py::array_t<double> table({rows.size(), columns});
  double* out = table.mutable_data();
  for (const std::vector<double>& row : rows) {
    if (row.size() != columns) throw DataError("the model does not score each of its labels");
    out = std::copy(row.begin(), row.end(), out);
  }
  return table;
}

// A table of numbers of each row of x, made without the interpreter's lock.
py::array_t<double> computed(const Model& model, const py::object& given, std::size_t columns,
                             std::vector<std::vector<double>> (*compute)(const Model&, const Matrix&)) {
  const Matrix x = matrix_of(given);
  std::vector<std::vector<double>> rows;
  {
    const py::gil_scoped_release unlocked;
    rows = compute(model, x);
  }
  return table_of(rows, columns);
}

py::array_t<bool> kept_of(const Model& model) {
  py::array_t<bool> kept(static_cast<py::ssize_t>(model.features.size()));
  for (std::size_t i = 0; i < model.features.size(); ++i) kept.mutable_data()[i] = model.features[i].kept;
  return kept;
}

py::object stability_of(const Model& model) {
  if (!model.stability) return py::none();
  const Stability& part = *model.stability;
  py::dict result;
  result["refits"] = part.refits;
  result["share"] = part.share;
  result["top"] = part.top;
  result["different"] = part.different;
  result["threshold"] = part.threshold;
  result["chosen"] = part.chosen;
  result["false_bound"] = part.false_bound;
  result["fraction"] = array_of(part.fraction);
  return result;
}

py::object discoveries_of(const Model& model) {
  if (!model.discoveries) return py::none();
  const Discoveries& part = *model.discoveries;
  py::dict result;
  result["fdr"] = part.fdr;
  result["construction"] = word_of(part.construction);
  result["threshold"] = part.threshold;
  result["statistic"] = array_of(part.statistic);
  result["probability"] = array_of(part.probability);
  result["units"] = part.units;
  result["expected"] = part.expected;
  result["draws"] = part.draws;
  return result;
}

py::object clusters_of(const Model& model) {
  if (!model.clusters) return py::none();
  py::list list;
  for (const Cluster& cluster : model.clusters->list) {
    list.append(py::make_tuple(cluster.inclusion, cluster.coefficient, cluster.members));
  }
  return list;
}

py::dict dict_of(const LeftOutScore& score) {
  py::dict result;
  result["error"] = score.error;
  result["loss"] = score.loss;
  return result;
}

py::object left_out_of(const Model& model) {
  if (!model.answer) return py::none();
  const LeftOutAnswer& answer = *model.answer;
  py::dict result;
  result["predictor"] = dict_of(answer.predictor);
  result["nothing"] = dict_of(answer.nothing);
  result["gain"] = answer.gain;
  result["gain_standard_error"] = answer.gain_error;
  result["examples"] = answer.examples;
  result["folds"] = answer.folds;
  result["repeats"] = answer.repeats;
  if (!model.list) return result;
  const FeatureList& list = *model.list;
  result["list"] = dict_of(list.score);
  result["cost"] = list.cost;
  result["cost_standard_error"] = list.cost_error;
  py::list curve;
  for (const ListStep& step : list.curve) {
    py::dict entry = dict_of(step.score);
    entry["features"] = step.features;
    entry["behind"] = step.behind;
    entry["standard_error"] = step.standard_error;
    curve.append(entry);
  }
  result["by_length"] = curve;
  return result;
}

py::array_t<bool> selected_of(const Model& model) {
  py::array_t<bool> mask(static_cast<py::ssize_t>(model.features.size()));
  for (std::size_t i = 0; i < model.features.size(); ++i) mask.mutable_data()[i] = model.is_selected(i);
  return mask;
}

// What a score must exceed for the second of two labels, where a curve shifts it.
double threshold_of_score(const Model& model) {
  const auto& curve = model.recalibration;
  if (!curve || model.labels.size() != 2 || curve->kind == CurveKind::isotonic || !(curve->slope > 0)) return 0;
  return -curve->intercept / curve->slope;
}

double half_width(const Model& model, double level) {
  if (!model.errors) {
    throw OptionError(
        "the model has no errors of examples that were left out; fit it by MEDRegressorCV, or by medlar tune");
  }
  return model.errors->half_width(level);
}

py::list columns_of(const Model& model) {
  py::list columns;
  for (const ColumnSchema& column : model.schema.columns) {
    columns.append(py::make_tuple(column.name, column.levels, column.other));
  }
  return columns;
}

py::dict predictions_of(const Model& model, const py::object& given) {
  const Matrix x = matrix_of(given);
  std::vector<Prediction> predictions;
  {
    const py::gil_scoped_release unlocked;
    predictions = model.predict(x);
  }
  py::dict columns;
  columns["score"] = column_of<double>(predictions, [](const Prediction& p) { return p.score; });
  columns["sd"] = column_of<double>(predictions, [](const Prediction& p) { return p.sd; });
  columns["probability"] = column_of<double>(predictions, [](const Prediction& p) { return p.probability; });
  columns["label"] = column_of<Index>(predictions, [](const Prediction& p) { return p.label; });
  const std::size_t classes = model.labels.size() > 2 ? model.labels.size() : 0;
  std::vector<std::vector<double>> probabilities;
  for (Prediction& each : predictions) probabilities.push_back(std::move(each.probabilities));
  columns["probabilities"] = table_of(probabilities, classes);
  return columns;
}

// Numbers examples as the user knows them: example t of the fit is rows[t] of `examples`. Copies of one example become
// one again, with the sum of their multipliers; a kernel model has none.
void number_examples(Model& model, const py::object& given, Index examples) {
  const std::vector<Index> rows = vector_of<Index>(given, "rows");
  std::vector<double> sums(static_cast<std::size_t>(std::max<Index>(examples, 0)), 0.0);
  std::vector<char> named(sums.size(), 0);
  for (std::size_t k = 0; k < model.support.size(); ++k) {
    const Index row = rows.at(static_cast<std::size_t>(model.support[k]));
    if (row < 0 || row >= examples) throw py::value_error("rows holds a number that is not below examples");
    const auto at = static_cast<std::size_t>(row);
    if (model.kernel && named[at]) throw py::value_error("rows holds a number twice");
    sums[at] += model.multipliers[k];
    named[at] = 1;
  }
  model.examples = examples;
  model.support.clear();
  model.multipliers.clear();
  for (std::size_t at = 0; at < sums.size(); ++at) {
    if (!named[at]) continue;
    model.support.push_back(static_cast<Index>(at));
    model.multipliers.push_back(sums[at]);
  }
}

void save(const Model& model, const std::string& path) {
  try {
    save_model(model, path);
  } catch (const DataError& error) {
    PyErr_SetString(PyExc_OSError, error.what());
    throw py::error_already_set();
  }
}

void add_report(py::module_& module) {
  py::class_<TracePoint>(module, "TracePoint", "One certified iterate of a solve.")
      .def_readonly("iteration", &TracePoint::iteration)
      .def_readonly("passes", &TracePoint::passes)
      .def_readonly("seconds", &TracePoint::seconds)
      .def_readonly("objective", &TracePoint::objective)
      .def_readonly("primal", &TracePoint::primal)
      .def_readonly("relative_gap", &TracePoint::relative_gap)
      .def_readonly("stage", &TracePoint::stage);
  py::class_<Report>(module, "Report", "How a solve ended, with its certificate.")
      .def_property_readonly("status", [](const Report& report) { return to_string(report.status); })
      .def_readonly("message", &Report::message)
      .def_readonly("solver", &Report::solver)
      .def_readonly("why", &Report::why)
      .def_readonly("objective", &Report::objective)
      .def_readonly("primal", &Report::primal)
      .def_readonly("gap", &Report::gap)
      .def_readonly("relative_gap", &Report::relative_gap)
      .def_readonly("tolerance", &Report::tolerance)
      .def_readonly("iterations", &Report::iterations)
      .def_readonly("passes", &Report::passes)
      .def_readonly("seconds", &Report::seconds)
      .def_readonly("trace", &Report::trace)
      .def("__repr__", [](const Report& report) { return "<Report: " + report.message + ">"; });
}

}  // namespace

void add_models(py::module_& module) {
  add_report(module);
  py::class_<Model>(module, "Model", "A fitted distribution over discriminants.")
      .def_property_readonly("task", [](const Model& model) { return word_of(model.task); })
      .def_readonly("settings", &Model::settings)
      .def_readonly("labels", &Model::labels)
      .def_readonly("report", &Model::report)
      .def_readonly("bias", &Model::bias)
      .def_readonly("bias_sd", &Model::bias_sd)
      .def_readonly("typical_sd", &Model::typical_sd)
      .def_readonly("examples", &Model::examples)
      .def_readonly("group_names", &Model::group_names)
      .def_property_readonly("recalibrated", [](const Model& model) { return model.recalibration.has_value(); })
      .def_property_readonly("stability", &stability_of, "How often features are chosen again, or None.")
      .def_property_readonly("discoveries", &discoveries_of, "Features against their knockoffs, or None.")
      .def_property_readonly("clusters", &clusters_of, "Near-duplicates: inclusion, coefficient and members, or None.")
      .def_property_readonly("prior", [](const Model& model) { return word_of(model.prior()); })
      .def_property_readonly("selected", &Model::selected)
      .def_property_readonly("selected_mask", &selected_of, "Which features are selected.")
      .def_property_readonly("selected_by", [](const Model& model) { return word_of(model.selected_by()); })
      .def_property_readonly(
          "short_list",
          [](const Model& model) { return model.list ? py::cast(list_model(model)) : py::object(py::none()); },
          "The list of features as a model of its own, or None.")
      .def_property_readonly(
          "listed",
          [](const Model& model) { return array_of(model.list ? model.list->features : std::vector<Index>()); },
          "The features of the list, from the most important.")
      .def_property_readonly("left_out", &left_out_of, "What examples that were left out say, or None.")
      .def_property_readonly("verdict", &verdict, "What the model answers, in sentences.")
      .def_property_readonly("score_threshold", &threshold_of_score,
                             "What a score must exceed for the second of two labels.")
      .def("half_width", &half_width, py::arg("level"), "Of numbers: half the width of intervals of this probability.")
      .def_property_readonly("format", [](const Model& model) { return model.schema.format; })
      .def_property_readonly("target_name", [](const Model& model) { return model.schema.target; })
      .def_property_readonly("columns", &columns_of, "Name and levels of each column; empty for svmlight.")
      .def_property_readonly("features", [](const Model& model) { return model.schema.features; })
      .def_property_readonly("transforms", &transforms_of)
      .def_property_readonly("last_transform", &last_transform_of)
      .def_property_readonly("names",
                             [](const Model& model) {
                               py::list names;
                               for (const Feature& feature : model.features) names.append(feature.name);
                               return names;
                             })
      .def_property_readonly("kept", &kept_of, "Which features stay in (keep).")
      .def_property_readonly("prior_variances", [](const Model& model) { return array_of(model.prior_variances()); })
      .def_property_readonly("inclusion", of_features<double>([](const Feature& f) { return f.inclusion; }))
      .def_property_readonly(
          "inclusion_by_class",
          [](const Model& model) -> py::object {
            const auto all = inclusion_by_class(model);
            return all.empty() ? py::object(py::none()) : py::object(table_of(all, model.labels.size()));
          },
          "With a switch per class the probability of each feature to be in, a column per label; else None.")
      .def_property_readonly("coefficient", of_features<double>([](const Feature& f) { return f.coefficient; }))
      .def_property_readonly("sd", of_features<double>([](const Feature& f) { return f.sd; }))
      .def_property_readonly("group", of_features<Index>([](const Feature& f) { return f.group; }))
      .def_property_readonly("support", [](const Model& model) { return array_of(model.support); })
      .def_property_readonly("multipliers", [](const Model& model) { return array_of(model.multipliers); })
      .def("predict", &predictions_of, py::arg("x"),
           "score, sd, probability and label of each row; of more than two labels also probabilities.")
      .def(
          "scores",
          [](const Model& model, const py::object& x) {
            return computed(model, x, model.labels.size(), scores_by_class);
          },
          py::arg("x"), "Of more than two labels: the score of each.")
      .def(
          "contributions",
          [](const Model& model, const py::object& x) {
            return computed(model, x, model.features.size(), contributions);
          },
          py::arg("x"), "Of an anomaly detector: what each feature adds to the score.")
      .def(
          "typical_of_gaps",
          [](const Model& model, const py::object& given) {
            const Matrix x = matrix_of(given);
            return array_of(typical_of_gaps(model, x));
          },
          py::arg("x"), "Of an anomaly detector: what is typical of the cells that each row misses.")
      .def_property_readonly("class_coefficient", &class_coefficients,
                             "One row per label when there are more than two.")
      .def_property_readonly("class_bias", [](const Model& model) { return array_of(class_biases(model)); })
      .def_property_readonly("members", &members_of, "Of a generative model: family, features, inclusion.")
      .def_property_readonly(
          "calibration", [](const Model& model) { return model.generative ? model.generative->slope : 1.0; },
          "Of a generative model: the factor that turns scores into log odds.")
      .def_property_readonly(
          "threshold", [](const Model& model) { return model.generative ? model.generative->threshold : 0.0; },
          "Of an anomaly detector: scores below it are odd.")
      .def_property_readonly(
          "typical",
          [](const Model& model) {
            return array_of(model.generative ? model.generative->typical : std::vector<double>());
          },
          "Of an anomaly detector: the mean contribution of each feature.")
      .def_property_readonly(
          "kl", [](const Model& model) { return array_of(model.latent ? model.latent->kl : std::vector<double>()); },
          "Of a latent model: the total KL divergence after each round.")
      .def("number_examples", &number_examples, py::arg("rows"), py::arg("examples"),
           "Names the examples of the fit by their numbers in what the user gave.")
      .def("to_json", &to_json, "The text of the model file.")
      .def_static("from_json", &model_from_json, py::arg("text"), py::arg("source"))
      .def("save", &save, py::arg("path"), "Writes the model file, whole or not at all.")
      .def(
          "html", [](const Model& model, const Dataset* data, Index top) { return html_report(model, data, top); },
          py::arg("data") = py::none(), py::arg("top") = 5000, "The page of the report.")
      .def(py::self == py::self)
      .def(py::pickle([](const Model& model) { return to_json(model); },
                      [](const std::string& text) { return model_from_json(text, "a pickled model"); }));
}

}  // namespace medlar::python
