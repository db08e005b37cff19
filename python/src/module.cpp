// medlar._native: the library for Python.
#include "bindings.hpp"

PYBIND11_MODULE(_native, module) {
  module.doc() = "The C++ library of Medlar. Use the estimators of the package medlar instead.";
  module.attr("__version__") = MEDLAR_VERSION;
  medlar::python::add_errors(module);
  medlar::python::add_settings(module);
  medlar::python::add_datasets(module);
  medlar::python::add_models(module);
  medlar::python::add_fitting(module);
}
