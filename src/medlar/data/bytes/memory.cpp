#include "medlar/data/bytes/memory.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdint>

#include "medlar/error.hpp"

namespace medlar {
namespace {

std::string in_units(double bytes) {
  return bytes < 1e9 ? fmt::format("{:.1f} MB", bytes / 1e6) : fmt::format("{:.1f} GB", bytes / 1e9);
}

}  // namespace

double machine_memory() {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page = sysconf(_SC_PAGESIZE);
  const double built_in = pages > 0 && page > 0 ? static_cast<double>(pages) * static_cast<double>(page) : 8e9;
  rlimit allowed{};
  const bool limited = getrlimit(RLIMIT_AS, &allowed) == 0 && allowed.rlim_cur != RLIM_INFINITY;
  return limited ? std::min(built_in, static_cast<double>(allowed.rlim_cur)) : built_in;
}

void require_memory(double bytes, const std::string& what, const std::string& remedy) {
  const double memory = machine_memory();
  if (bytes <= memory / 2) return;
  throw DataError(fmt::format("{} would take about {}, more than half of the {} that it may use; {}", what,
                              in_units(bytes), in_units(memory), remedy));
}

void prefer_large_pages(const void* data, std::size_t bytes) {
#ifdef MADV_HUGEPAGE
  constexpr std::uintptr_t large = std::uintptr_t{1} << 21;
  const auto begin = (reinterpret_cast<std::uintptr_t>(data) + large - 1) & ~(large - 1);
  const auto end = (reinterpret_cast<std::uintptr_t>(data) + bytes) & ~(large - 1);
  if (begin < end) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
#else
  static_cast<void>(data), static_cast<void>(bytes);
#endif
}

}  // namespace medlar
