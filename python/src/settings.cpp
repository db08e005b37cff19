// Settings from the texts of options, and the table of options itself, from which the keywords are documented and
// tested.
#include <pybind11/stl.h>

#include "bindings.hpp"

namespace medlar::python {
namespace {

using Numbers = std::vector<std::pair<std::string, double>>;
using Words = std::vector<std::pair<std::string, std::string>>;

Settings settings_of(const std::vector<std::pair<std::string, std::string>>& texts, const Numbers& feature_p0,
                     const Numbers& feature_prior_variance, const Numbers& prior_mean, const Words& feature_group) {
  Settings settings;
  for (const auto& [name, text] : texts) set_option(settings, name, text);
  settings.feature_p0.entries = feature_p0;
  settings.feature_prior_variance.entries = feature_prior_variance;
  settings.prior_mean.entries = prior_mean;
  if (!feature_group.empty()) {
    settings.groups = GroupsKind::file;
    settings.feature_group.entries = feature_group;
  }
  return settings;
}

py::dict texts_of(const Settings& settings) {
  py::dict texts;
  for (const Option& option : options()) texts[py::str(std::string(option.name))] = option.get(settings);
  return texts;
}

py::list table() {
  py::list rows;
  for (const Option& option : options()) {
    py::dict row;
    row["name"] = std::string(option.name);
    row["values"] = std::string(option.values);
    row["default"] = std::string(option.fallback);
    row["meaning"] = std::string(option.meaning);
    row["chapter"] = std::string(option.chapter);
    row["numeric"] = option.numeric;
    rows.append(row);
  }
  return rows;
}

}  // namespace

void add_settings(py::module_& module) {
  module.def("options", &table, "The table of options: name, values, default, meaning, chapter, numeric.");
  module.def(
      "words",
      [](const std::string& option) {
        std::vector<std::string> names;
        for (const Word& word : words(option)) names.emplace_back(word.name);
        return names;
      },
      py::arg("option"), "The words that an option with a closed list of words knows.");
  py::class_<Settings>(module, "Settings", "Everything that may be chosen for a fit.")
      .def(py::init(&settings_of), py::arg("texts"), py::arg("feature_p0") = Numbers{},
           py::arg("feature_prior_variance") = Numbers{}, py::arg("prior_mean") = Numbers{},
           py::arg("feature_group") = Words{})
      .def(
          "text", [](const Settings& s, const std::string& option) { return find_option(option).get(s); },
          py::arg("option"), "The text of that option, as on the command line.")
      .def_property_readonly("texts", &texts_of, "The text of each option, by its name on the command line.")
      .def_property_readonly("feature_p0", [](const Settings& s) { return s.feature_p0.entries; })
      .def_property_readonly("feature_prior_variance",
                             [](const Settings& s) { return s.feature_prior_variance.entries; })
      .def_property_readonly("prior_mean", [](const Settings& s) { return s.prior_mean.entries; })
      .def_property_readonly("feature_group", [](const Settings& s) { return s.feature_group.entries; });
}

}  // namespace medlar::python
