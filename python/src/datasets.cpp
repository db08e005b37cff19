// A dataset from arrays, as a reader would make it from a file: names, one group per column, a schema that lets the
// command line read files for the model, and a target of numbers or of coded labels.
#include <pybind11/stl.h>

#include "arrays.hpp"

namespace medlar::python {
namespace {

// Name, levels, and whether the last of them stands for all that were not seen in training.
using Columns = std::vector<std::tuple<std::string, std::vector<std::string>, bool>>;

// Columns without names are numbered as the readers number them: x1 in a table of numbers, 1 in svmlight.
void name_by_number(Dataset& data) {
  const bool sparse = data.x.is_sparse();
  data.schema.format = sparse ? "svmlight" : "npy";
  const auto n = static_cast<std::size_t>(data.features());
  data.names.reserve(n);
  for (std::size_t i = 1; i <= n; ++i) data.names.push_back((sparse ? "" : "x") + std::to_string(i));
  if (sparse) return;
  for (const std::string& name : data.names) data.schema.columns.push_back({name, {}, {}});
}

void name_by_columns(Dataset& data, const Columns& columns) {
  data.schema.format = "csv";
  for (const auto& [name, levels, other] : columns) {
    const auto group = static_cast<Index>(data.group_names.size());
    data.group_names.push_back(name);
    data.group_of.insert(data.group_of.end(), levels.empty() ? 1 : levels.size(), group);
    if (levels.empty()) data.names.push_back(name);
    for (const std::string& level : levels) data.names.push_back(name + "=" + level);
    data.schema.columns.push_back({name, levels, {}});
    data.schema.columns.back().other = other && !levels.empty();
  }
}

void require_one_each(const char* what, std::size_t count, Index examples) {
  if (static_cast<Index>(count) == examples) return;
  throw py::value_error(std::string(what) + " has " + std::to_string(count) + " entries, but x has " +
                        std::to_string(examples) + " examples; give one for each");
}

Dataset dataset_of(const py::object& x, const std::optional<Columns>& columns, const py::object& values,
                   const py::object& codes, std::vector<std::string> labels, const py::object& weights,
                   const std::string& target_name, bool open) {
  Dataset data;
  data.source = "X";
  data.x = matrix_of(x);
  if (columns) {
    name_by_columns(data, *columns);
  } else {
    name_by_number(data);
  }
  data.schema.features = data.features();
  for (ColumnSchema& column : data.schema.columns) column.open = open;
  data.schema.target = target_name;
  data.target.present = !values.is_none() || !codes.is_none();
  data.target.numeric = !values.is_none();
  if (!values.is_none()) data.target.values = vector_of<double>(values, "values");
  if (!codes.is_none()) data.target.codes = vector_of<Column>(codes, "codes");
  data.target.labels = std::move(labels);
  if (!weights.is_none()) data.weights = vector_of<double>(weights, "weights");
  if (!values.is_none()) require_one_each("the target", data.target.values.size(), data.examples());
  if (!codes.is_none()) require_one_each("the target", data.target.codes.size(), data.examples());
  if (!weights.is_none()) require_one_each("weights", data.weights.size(), data.examples());
  return data;
}

}  // namespace

void add_datasets(py::module_& module) {
  py::class_<Dataset>(module, "Dataset", "Examples with their target. The arrays of x are seen, not copied.")
      .def(py::init(&dataset_of), py::arg("x"), py::kw_only(), py::arg("columns") = py::none(),
           py::arg("values") = py::none(), py::arg("codes") = py::none(),
           py::arg("labels") = std::vector<std::string>{}, py::arg("weights") = py::none(), py::arg("target_name") = "",
           py::arg("open") = false)
      .def_property_readonly("examples", &Dataset::examples)
      .def_property_readonly("features", &Dataset::features)
      .def_property_readonly("is_sparse", [](const Dataset& data) { return data.x.is_sparse(); })
      .def_property_readonly(
          "address",
          [](const Dataset& data) {
            return data.x.values().visit([](const auto* first) { return reinterpret_cast<std::uintptr_t>(first); });
          },
          "Where the values of x stand in memory.")
      .def_readonly("names", &Dataset::names);
}

}  // namespace medlar::python
