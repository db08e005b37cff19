// Asked before a large allocation, so that the answer is a sentence and not a killed process.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

namespace medlar {

double machine_memory();  // bytes: the machine's, or what this process may have of it (ulimit -v)

// Throws DataError if `bytes` is more than half of that. The sentence reads
// "<what> would take about 40.0 GB, more than half of the 23.0 GB that it may use; <remedy>".
void require_memory(double bytes, const std::string& what, const std::string& remedy);

// Asks for large pages under an array that is about to be filled: thousands of page faults fewer. A wish, no more.
void prefer_large_pages(const void* data, std::size_t bytes);

// Makes room for what the whole file will hold, judged by the part of it that was read: room that is not used costs no
// memory, but a vector that outgrows its room needs both for a moment.
template <class T>
void make_room(std::vector<T>& all, std::size_t more, double fraction) {
  const std::size_t size = all.size() + more;
  if (size > all.capacity() && fraction > 0) {
    all.reserve(std::max(size, static_cast<std::size_t>(1.2 * static_cast<double>(size) / fraction)));
    prefer_large_pages(all.data(), all.capacity() * sizeof(T));
  }
}

}  // namespace medlar
