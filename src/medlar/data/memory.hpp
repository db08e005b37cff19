// Memory: a question asked before a large allocation, so that the answer is a sentence and not a killed process.
#pragma once

#include <cstddef>
#include <string>

namespace medlar {

double machine_memory();  // bytes

// Throws DataError if `bytes` is more than half of the machine's memory. The sentence reads
// "<what> would take about 40.0 GB, more than half of this machine's 23.0 GB; <remedy>".
void require_memory(double bytes, const std::string& what, const std::string& remedy);

// Asks for large pages under an array that is about to be filled: thousands of page faults fewer. A wish, no more.
void prefer_large_pages(const void* data, std::size_t bytes);

}  // namespace medlar
