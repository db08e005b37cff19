// bench-record: writes what some thousand fits of every kind came to, and compares two such records.
//
//   bench-record write FILE [--only REGEX]
//   bench-record compare BEFORE AFTER [--loose] [--only REGEX]
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <exception>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "compare.hpp"
#include "recorder.hpp"

namespace {

using namespace medlar::bench;

constexpr const char* kUsage =
    "bench-record write FILE [--only REGEX]\n"
    "bench-record compare BEFORE AFTER [--loose] [--only REGEX]\n";

struct Arguments {
  std::vector<std::string> words;
  bool loose = false;
  std::string only;
};

Arguments read(int count, char** given) {
  Arguments arguments;
  for (int k = 1; k < count; ++k) {
    const std::string word = given[k];
    if (word == "--loose") {
      arguments.loose = true;
    } else if (word == "--only" && k + 1 < count) {
      arguments.only = given[++k];
    } else {
      arguments.words.push_back(word);
    }
  }
  return arguments;
}

void write(const std::string& path, const std::string& only) {
  std::ofstream out(path);
  if (!out) throw std::runtime_error(fmt::format("{} cannot be written", path));
  Recorder record(out, only);
  for (const auto kind : {record_thousand, record_sets, record_binary, record_regression, record_large, record_classes,
                          record_kernels, record_low_rank, record_generative, record_anomalies, record_latent_labels,
                          record_latent_signals, record_paths, record_starts}) {
    const auto start = std::chrono::steady_clock::now();
    const medlar::Index before = record.written();
    kind(record);
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
    fmt::print(stderr, "{} entries in {:.1f} s\n", record.written() - before, spent.count());
  }
  if (!out.flush()) throw std::runtime_error(fmt::format("{} could not be written", path));
  fmt::print("{} entries\n", record.written());
}

}  // namespace

int main(int count, char** given) try {
  const Arguments arguments = read(count, given);
  const auto& words = arguments.words;
  if (words.size() == 2 && words[0] == "write") {
    write(words[1], arguments.only);
    return 0;
  }
  if (words.size() == 3 && words[0] == "compare") {
    return compare_records({words[1], words[2], arguments.loose, arguments.only}) ? 0 : 1;
  }
  std::fputs(kUsage, stderr);
  return 2;
} catch (const std::exception& error) {
  std::fprintf(stderr, "bench-record: %s\n", error.what());
  return 2;
}
