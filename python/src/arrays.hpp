// NumPy arrays and SciPy CSR matrices seen as a Matrix, without a copy; vectors handed to NumPy.
#pragma once

#include <pybind11/numpy.h>

#include <vector>

#include "bindings.hpp"

namespace medlar::python {

// A two-dimensional C-contiguous array of float64 or float32, or an object with the attributes of a canonical CSR
// matrix (shape, indptr, indices, data). The Matrix keeps the arrays alive; writing into them meanwhile changes what is
// fitted. Anything else is a TypeError or ValueError that says what it is.
Matrix matrix_of(const py::object& x);

// An array that owns the vector.
template <class Value>
py::array_t<Value> array_of(std::vector<Value> values) {
  auto kept = std::make_unique<std::vector<Value>>(std::move(values));
  const Value* const first = kept->data();
  const auto size = static_cast<py::ssize_t>(kept->size());
  const py::capsule owner(kept.release(), [](void* vector) { delete static_cast<std::vector<Value>*>(vector); });
  return py::array_t<Value>(size, first, owner);
}

// One number of each element.
template <class Value, class Elements, class Read>
py::array_t<Value> column_of(const Elements& elements, Read&& read) {
  py::array_t<Value> column(static_cast<py::ssize_t>(elements.size()));
  Value* out = column.mutable_data();
  for (const auto& element : elements) *out++ = read(element);
  return column;
}

// The numbers of a one-dimensional array, converted if need be; integers only from integers.
template <class Value>
std::vector<Value> vector_of(const py::object& given, const char* what) {
  if constexpr (std::is_integral_v<Value>) {
    const py::array whole = py::array::ensure(given);
    if (!whole || (whole.dtype().kind() != 'i' && whole.dtype().kind() != 'u')) {
      PyErr_Clear();
      throw py::type_error(std::string(what) + " must be an array of whole numbers");
    }
  }
  const auto array = py::array_t<Value, py::array::c_style | py::array::forcecast>::ensure(given);
  if (!array || array.ndim() != 1) {
    PyErr_Clear();
    throw py::type_error(std::string(what) + " must be a one-dimensional array of numbers");
  }
  return {array.data(), array.data() + array.size()};
}

}  // namespace medlar::python
