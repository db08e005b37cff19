// A fitted model and its report as Python sees them: numbers as arrays, pickled by the text of the model file.
#include <pybind11/operators.h>
#include <pybind11/stl.h>

#include "arrays.hpp"

namespace medlar::python {
namespace {

template <class Value, class Read>
auto of_features(Read read) {
  return [read](const Model& model) { return column_of<Value>(model.features, read); };
}

py::list transforms_of(const Model& model) {
  py::list steps;
  for (const Transform& transform : model.transforms) {
    py::dict step;
    step["kind"] = transform.kind;
    step["factors"] = transform.factors;
    step["shift"] = array_of(transform.shift);
    step["factor"] = array_of(transform.factor);
    steps.append(step);
  }
  return steps;
}

py::list columns_of(const Model& model) {
  py::list columns;
  for (const ColumnSchema& column : model.schema.columns) columns.append(py::make_tuple(column.name, column.levels));
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
  return columns;
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
      .def_readonly("task", &Model::task)
      .def_readonly("settings", &Model::settings)
      .def_readonly("labels", &Model::labels)
      .def_readonly("report", &Model::report)
      .def_readonly("bias", &Model::bias)
      .def_readonly("bias_sd", &Model::bias_sd)
      .def_readonly("typical_sd", &Model::typical_sd)
      .def_readonly("examples", &Model::examples)
      .def_readonly("group_names", &Model::group_names)
      .def_property_readonly("prior", [](const Model& model) { return std::string(model.prior()); })
      .def_property_readonly("selected", &Model::selected)
      .def_property_readonly("format", [](const Model& model) { return model.schema.format; })
      .def_property_readonly("target_name", [](const Model& model) { return model.schema.target; })
      .def_property_readonly("columns", &columns_of, "Name and levels of each column; empty for svmlight.")
      .def_property_readonly("features", [](const Model& model) { return model.schema.features; })
      .def_property_readonly("transforms", &transforms_of)
      .def_property_readonly("names",
                             [](const Model& model) {
                               py::list names;
                               for (const Feature& feature : model.features) names.append(feature.name);
                               return names;
                             })
      .def_property_readonly("inclusion", of_features<double>([](const Feature& f) { return f.inclusion; }))
      .def_property_readonly("coefficient", of_features<double>([](const Feature& f) { return f.coefficient; }))
      .def_property_readonly("sd", of_features<double>([](const Feature& f) { return f.sd; }))
      .def_property_readonly("group", of_features<Index>([](const Feature& f) { return f.group; }))
      .def_property_readonly("support", [](const Model& model) { return array_of(model.support); })
      .def_property_readonly("multipliers", [](const Model& model) { return array_of(model.multipliers); })
      .def("predict", &predictions_of, py::arg("x"), "score, sd, probability and label of each row.")
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
