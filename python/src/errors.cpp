// An error of the library becomes a ValueError with the library's own sentence. Where the sentence names an option as
// the command line spells it (--prior-variance), the keyword is used instead (prior_variance).
#include <algorithm>
#include <string>

#include "bindings.hpp"

namespace medlar::python {
namespace {

void replace_all(std::string& text, const std::string& old, const std::string& by) {
  for (std::size_t at = text.find(old); at != text.npos; at = text.find(old, at + by.size())) {
    text.replace(at, old.size(), by);
  }
}

std::string in_keywords(std::string text) {
  for (const Option& option : options()) {
    const std::string name(option.name);
    std::string keyword = name;
    std::replace(keyword.begin(), keyword.end(), '-', '_');
    replace_all(text, "--" + name, keyword);
    if (keyword != name) replace_all(text, name + " ", keyword + " ");
  }
  return text;
}

}  // namespace

void add_errors(py::module_&) {
  py::register_exception_translator([](std::exception_ptr pending) {
    try {
      if (pending) std::rethrow_exception(pending);
    } catch (const Error& error) {
      PyErr_SetString(PyExc_ValueError, in_keywords(error.what()).c_str());
    }
  });
}

}  // namespace medlar::python
