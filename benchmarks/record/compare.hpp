// Two records beside each other.
#pragma once

#include <string>

namespace medlar::bench {

struct CompareOptions {
  std::string before, after;  // files
  bool loose = false;         // as good a certificate, in no more passes; else everything but seconds is the same
  std::string only;           // a pattern of names
};

// Prints what differs; true when nothing does that matters.
bool compare_records(const CompareOptions& how);

}  // namespace medlar::bench
