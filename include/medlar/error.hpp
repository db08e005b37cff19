// What the library throws: an Error for something the caller gave, never for how a solve ended. Its sentence names the
// thing, its value, what was wanted and what to do.
#pragma once

#include <stdexcept>
#include <string>

namespace medlar {

class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// An option, setting or argument out of its range.
class OptionError : public Error {
 public:
  using Error::Error;
};

// A file that cannot be opened, read, written or understood.
class DataError : public Error {
 public:
  using Error::Error;
};

// An observer may throw this to end a fit that has certified nothing yet; there is then no model.
class Interrupted : public std::runtime_error {
 public:
  Interrupted() : std::runtime_error("interrupted before the first certificate; there is no model yet") {}
};

}  // namespace medlar
