// A question asked before a large allocation, so that the answer is a sentence and not a killed process.
#pragma once

#include <string>

namespace medlar {

double machine_memory();  // bytes

// Throws DataError if `bytes` is more than half of the machine's memory. The sentence reads
// "<what> would take about 40.0 GB, more than half of this machine's 23.0 GB; <remedy>".
void require_memory(double bytes, const std::string& what, const std::string& remedy);

}  // namespace medlar
