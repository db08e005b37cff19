// The parts of the module medlar._native; module.cpp puts them together. They only translate between Python's types and
// those of include/medlar, and decide nothing. The estimators are in python/medlar.
#pragma once

#include <pybind11/pybind11.h>

#include <medlar/medlar.hpp>

namespace medlar::python {

namespace py = pybind11;

void add_errors(py::module_& module);    // the library's sentences as ValueError, in Python's spelling
void add_settings(py::module_& module);  // options(), words(), Settings
void add_datasets(py::module_& module);  // Dataset
void add_models(py::module_& module);    // Model, Report, TracePoint
void add_fitting(py::module_& module);   // fit, tune

}  // namespace medlar::python
