// How fast text becomes a dataset, in GB of text per second: svmlight and CSV, one thread and all, beside the loop that
// liblinear's train reads with (two passes of fgets, strtok, strtol, strtod). Runs are interleaved, the page cache
// warm.
//
//   build/bench/bin/bench-reading FOLDER [REPEATS]       (5 unless told; the least of them is printed)
//
// FOLDER receives, once, text.svm (50,000 x 100,000, 4.16 million non-zeros, unit rows, columns by a power law, six
// significant digits) and dense.csv (200,000 x 50 normal deviates and a class).
#include <fmt/core.h>
#include <fmt/os.h>
#include <medlar/medlar.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

void write_text_like(const std::string& path) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform;
  std::poisson_distribution<int> words(83.2);
  std::normal_distribution<double> normal;
  auto out = fmt::output_file(path);
  for (int t = 0; t < 50000; ++t) {
    std::set<int> columns;
    const auto wanted = static_cast<std::size_t>(std::max(1, words(random)));
    while (columns.size() < wanted) columns.insert(1 + static_cast<int>(100000 * std::pow(uniform(random), 3)));
    std::vector<double> values;
    double squares = 0;
    for (std::size_t k = 0; k < wanted; ++k) {
      values.push_back(0.1 + std::abs(normal(random)));
      squares += values.back() * values.back();
    }
    out.print("{}", uniform(random) < 0.5 ? "+1" : "-1");
    auto value = values.begin();
    for (const int column : columns) out.print(" {}:{:.6g}", column, *value++ / std::sqrt(squares));
    out.print("\n");
  }
}

void write_dense(const std::string& path) {
  std::mt19937_64 random(2);
  std::normal_distribution<double> normal;
  auto out = fmt::output_file(path);
  for (int i = 1; i <= 50; ++i) out.print("x{},", i);
  out.print("class\n");
  for (int t = 0; t < 200000; ++t) {
    for (int i = 0; i < 50; ++i) out.print("{:.6g},", normal(random));
    out.print("{}\n", t % 2);
  }
}

// The shape of liblinear's reader: a pass that counts the entries, then one that stores them as (int, double) pairs.
double read_like_liblinear(const std::string& path) {
  struct Node {
    int index;
    double value;
  };
  std::FILE* file = std::fopen(path.c_str(), "r");
  if (!file) std::exit(1);
  std::vector<char> line(1024);
  const auto next_line = [&] {
    if (!std::fgets(line.data(), static_cast<int>(line.size()), file)) return false;
    while (!std::strchr(line.data(), '\n')) {
      const std::size_t length = std::strlen(line.data());
      line.resize(2 * line.size());
      if (!std::fgets(line.data() + length, static_cast<int>(line.size() - length), file)) break;
    }
    return true;
  };
  std::size_t entries = 0, rows = 0;
  while (next_line()) {
    std::strtok(line.data(), " \t\n");
    while (std::strtok(nullptr, " \t")) ++entries;
    ++rows;
  }
  std::rewind(file);
  auto* nodes = static_cast<Node*>(std::malloc(sizeof(Node) * (entries + rows)));
  std::vector<double> labels(rows);
  double sum = 0;
  std::size_t k = 0;
  for (std::size_t t = 0; next_line(); ++t) {
    labels[t] = std::strtod(std::strtok(line.data(), " \t\n"), nullptr);
    for (const char* index; (index = std::strtok(nullptr, ":")) != nullptr;) {
      const char* value = std::strtok(nullptr, " \t");
      if (!value) break;
      nodes[k] = {static_cast<int>(std::strtol(index, nullptr, 10)), std::strtod(value, nullptr)};
      sum += nodes[k++].value;
    }
    nodes[k++] = {-1, 0};
  }
  std::fclose(file);
  std::free(nodes);
  return sum;
}

struct Run {
  const char* name;
  std::string file;
  std::function<void()> once;
  double seconds = HUGE_VAL;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print("usage: bench-reading FOLDER [REPEATS]\n");
    return 1;
  }
  const std::string text = std::string(argv[1]) + "/text.svm", dense = std::string(argv[1]) + "/dense.csv";
  const int repeats = argc > 2 ? std::atoi(argv[2]) : 5;
  if (!fs::exists(text)) write_text_like(text);
  if (!fs::exists(dense)) write_dense(dense);
  const auto reader = [](const std::string& path, medlar::Index threads) {
    return [path, threads] { medlar::read_dataset(path, {.threads = threads}); };
  };
  std::vector<Run> runs{{"svmlight, 1 thread", text, reader(text, 1)},
                        {"svmlight, all threads", text, reader(text, 0)},
                        {"svmlight, liblinear's loop", text, [&] { read_like_liblinear(text); }},
                        {"csv, 1 thread", dense, reader(dense, 1)},
                        {"csv, all threads", dense, reader(dense, 0)}};
  for (int repeat = 0; repeat < repeats; ++repeat) {
    for (Run& run : runs) {
      const auto start = std::chrono::steady_clock::now();
      run.once();
      run.seconds =
          std::min(run.seconds, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
  }
  fmt::print("| reading | MB | seconds | GB/s |\n|---|---|---|---|\n");
  for (const Run& run : runs) {
    const auto bytes = static_cast<double>(fs::file_size(run.file));
    fmt::print("| {} | {:.1f} | {:.4f} | {:.3f} |\n", run.name, bytes / 1e6, run.seconds, bytes / 1e9 / run.seconds);
  }
}
