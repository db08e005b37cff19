// Arrays are used in place and not copied, so a Matrix keeps the Python object alive. It may die on a thread without
// the interpreter's lock, which must be taken before the object is released.
#include "arrays.hpp"

#include <algorithm>

namespace medlar::python {
namespace {

// Keeps a Python object alive for a Matrix, which may die on a thread without the interpreter's lock.
std::shared_ptr<const void> owner_of(const py::object& object) {
  PyObject* const kept = object.ptr();
  Py_INCREF(kept);
  return {static_cast<const void*>(kept), [kept](const void*) {
            const py::gil_scoped_acquire lock;
            Py_DECREF(kept);
          }};
}

std::string type_name(const py::handle& object) {
  return py::str(py::type::of(object).attr("__name__")).cast<std::string>();
}

// The values of a contiguous array of doubles or floats in the machine's own byte order.
NumbersView numbers_of(const py::array& array) {
  const bool contiguous = (array.flags() & py::array::c_style) != 0;
  const auto size = static_cast<std::size_t>(array.size());
  if (contiguous && py::isinstance<py::array_t<double>>(array)) {
    return {static_cast<const double*>(array.data()), size};
  }
  if (contiguous && py::isinstance<py::array_t<float>>(array)) return {static_cast<const float*>(array.data()), size};
  throw py::type_error("x holds " + py::str(array.dtype()).cast<std::string>() +
                       (contiguous ? "" : ", not contiguous") +
                       ", but must be a C-contiguous array of float64 or float32");
}

py::array part(const py::object& x, const char* name) {
  const py::object found = x.attr(name);
  if (!py::isinstance<py::array>(found)) throw py::type_error(std::string("x.") + name + " is no array");
  py::array array = py::reinterpret_borrow<py::array>(found);
  if (array.ndim() != 1) throw py::value_error(std::string("x.") + name + " must have one dimension");
  return array;
}

std::pair<Index, Index> shape_of(const py::object& x) {
  try {
    return x.attr("shape").cast<std::pair<Index, Index>>();
  } catch (const py::cast_error&) {
    throw py::type_error("x.shape must be a pair of whole numbers");
  }
}

Matrix sparse_matrix(const py::object& x) {
  const auto [rows, columns] = shape_of(x);
  if (columns > std::numeric_limits<Column>::max()) {
    throw py::value_error("x has " + std::to_string(columns) + " columns, but at most " +
                          std::to_string(std::numeric_limits<Column>::max()) +
                          " can be numbered; keep those that occur");
  }
  const py::array data = part(x, "data"), indices = part(x, "indices"), indptr = part(x, "indptr");
  std::vector<Index> starts = vector_of<Index>(indptr, "x.indptr");
  const NumbersView values = numbers_of(data);
  const bool as_they_are = py::isinstance<py::array_t<Column>>(indices) && (indices.flags() & py::array::c_style) != 0;
  if (as_they_are) {
    const std::span<const Column> column_of(static_cast<const Column*>(indices.data()),
                                            static_cast<std::size_t>(indices.size()));
    return Matrix::sparse_view(rows, columns, std::move(starts), column_of, owner_of(indices), values, owner_of(data));
  }
  const std::vector<Index> wide = vector_of<Index>(indices, "x.indices");
  auto narrow = std::make_shared<std::vector<Column>>();
  narrow->reserve(wide.size());
  for (const Index column : wide) {
    if (column < 0 || column >= columns) {
      throw py::value_error("x.indices holds " + std::to_string(column) + ", but x has " + std::to_string(columns) +
                            " columns");
    }
    narrow->push_back(static_cast<Column>(column));
  }
  const std::span<const Column> column_of(*narrow);
  return Matrix::sparse_view(rows, columns, std::move(starts), column_of, narrow, values, owner_of(data));
}

}  // namespace

Matrix matrix_of(const py::object& x) {
  if (py::isinstance<py::array>(x)) {
    const auto array = py::reinterpret_borrow<py::array>(x);
    if (array.ndim() != 2) {
      throw py::value_error("x has " + std::to_string(array.ndim()) +
                            " dimensions, but must have two: examples and features");
    }
    return Matrix::dense_view(array.shape(0), array.shape(1), numbers_of(array), owner_of(x));
  }
  if (py::hasattr(x, "indptr") && py::hasattr(x, "indices") && py::hasattr(x, "data") && py::hasattr(x, "shape")) {
    return sparse_matrix(x);
  }
  throw py::type_error("x is a " + type_name(x) + ", but must be a NumPy array or a SciPy CSR matrix");
}

}  // namespace medlar::python
