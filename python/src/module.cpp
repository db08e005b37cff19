// medlar._native: the library for Python.
#include "bindings.hpp"

namespace {

// pybind11 before 2.12 reads the arrays of NumPy 2 by the layout of NumPy 1, which gives wrong sizes and types.
void refuse_unknown_numpy() {
#if PYBIND11_VERSION_HEX < 0x020C0000
  namespace py = pybind11;
  const auto version = py::module_::import("numpy").attr("__version__").cast<std::string>();
  if (std::stoi(version) < 2) return;
  throw py::import_error("this build of medlar knows NumPy 1 alone (pybind11 " PYBIND11_TOSTRING(
                             PYBIND11_VERSION_MAJOR) "." PYBIND11_TOSTRING(PYBIND11_VERSION_MINOR) "), but NumPy " +
                         version +
                         " is installed; build it anew with pybind11 2.12 or later, as pip install does, or "
                         "install numpy<2");
#endif
}

}  // namespace

PYBIND11_MODULE(_native, module) {
  refuse_unknown_numpy();
  module.doc() = "The C++ library of Medlar. Use the estimators of the package medlar instead.";
  module.attr("__version__") = MEDLAR_VERSION;
  medlar::python::add_errors(module);
  medlar::python::add_settings(module);
  medlar::python::add_datasets(module);
  medlar::python::add_models(module);
  medlar::python::add_fitting(module);
}
