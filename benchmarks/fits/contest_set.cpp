#include "contest_set.hpp"

#include <fmt/format.h>
#include <fmt/os.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <span>

#include "generate.hpp"
#include "medlar/error.hpp"
#include "medlar/io.hpp"
#include "medlar/prepare/labels.hpp"
#include "medlar/prepare/transforms.hpp"

namespace medlar::bench {

namespace {

Dataset read(const nlohmann::json& spec) {
  ReadOptions options;
  const nlohmann::json asked = spec.value("read", nlohmann::json::object());
  options.target = asked.value("target", "");
  options.target_file = asked.value("target-file", "");
  options.missing = asked.value("missing", "refuse");
  if (asked.contains("ignore")) options.ignore = {asked.at("ignore").get<std::string>()};
  return read_dataset(spec.at("file").get<std::string>(), options);
}

void standardise(std::vector<double>& y) {
  double mean = 0, squares = 0;
  for (const double value : y) mean += value / static_cast<double>(y.size());
  for (const double value : y) squares += (value - mean) * (value - mean) / static_cast<double>(y.size());
  for (double& value : y) value = (value - mean) / std::sqrt(squares);
}

class Fnv1a {
 public:
  template <class Value>
  void add(Value value) {
    for (const std::byte byte : std::as_bytes(std::span(&value, 1)))
      hash_ = (hash_ ^ static_cast<std::uint64_t>(byte)) * 0x100000001b3;
  }
  std::string text() const { return fmt::format("{:016x}", hash_); }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325;
};

Matrix with_unit_rows(const Matrix& x) {
  std::vector<double> values;
  for (Index t = 0; t < x.rows(); ++t) {
    const RowView row = x.row(t);
    double squares = 0;
    for_each(row, [&](Index, double value) { squares += value * value; });
    for_each(row, [&](Index, double value) { values.push_back(value / std::sqrt(squares)); });
  }
  return x.with_values(std::move(values));
}

template <class Value>
void write_binary(const std::string& path, const std::vector<Value>& values) {
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(values.data()), static_cast<std::streamsize>(values.size() * sizeof(Value)));
  if (!file.flush()) throw DataError(fmt::format("{}: could not be written", path));
}

}  // namespace

ContestSet load_set(const nlohmann::json& spec) {
  ContestSet set;
  const std::string name = spec.at("name").get<std::string>();
  set.data = spec.contains("file") ? read(spec) : generate(name);
  Settings settings;
  settings.positive = spec.value("positive", "");
  set.regression = resolve_task(set.data, settings) == Task::regress;
  std::vector<double> y;
  if (set.regression) {
    y = real_targets(set.data);
    standardise(y);
  } else {
    for (const int label : binary_labels(set.data, settings).y) y.push_back(label);
  }
  set.data.target = {};
  set.data.target.present = set.data.target.numeric = true;
  set.data.target.values = std::move(y);
  set.data.group_of.clear();  // every feature has a switch of its own: peers know no groups
  set.data.group_names.clear();
  if (spec.value("unit_rows", false)) set.data.x = with_unit_rows(set.x());
  if (!set.x().is_sparse()) set.data.x = apply(make_scale(set.x(), ScaleKind::standard, true), set.x());

  double squares = 0;
  Fnv1a fingerprint;
  for (Index t = 0; t < set.x().rows(); ++t) {
    for_each(set.x().row(t), [&](Index i, double value) {
      fingerprint.add(i);
      fingerprint.add(value);
      squares += value * value;
    });
  }
  for (const double target : set.y()) fingerprint.add(target);
  set.fingerprint = fingerprint.text();
  set.row_length = std::sqrt(squares / static_cast<double>(set.x().rows()));
  return set;
}

void write_svmlight(const ContestSet& set, const std::string& path) {
  auto file = fmt::output_file(path);
  for (Index t = 0; t < set.x().rows(); ++t) {
    file.print("{:+g}", set.y()[static_cast<std::size_t>(t)]);
    for_each(set.x().row(t), [&](Index i, double value) { file.print(" {}:{:.6g}", i + 1, value); });
    file.print("\n");
  }
}

void export_set(const ContestSet& set, const std::string& folder) {
  std::filesystem::create_directories(folder);
  const Matrix& x = set.x();
  const auto n = static_cast<std::size_t>(x.columns());
  std::ofstream(folder + "/sizes.txt") << x.rows() << ' ' << x.columns() << ' ' << (x.is_sparse() ? 1 : 0) << '\n';
  write_binary(folder + "/target.f64", set.y());
  std::vector<std::int32_t> starts(n + 1, 0);
  for (Index t = 0; t < x.rows(); ++t)
    for_each(x.row(t), [&](Index i, double) { ++starts[static_cast<std::size_t>(i) + 1]; });
  for (std::size_t i = 0; i < n; ++i) starts[i + 1] += starts[i];
  std::vector<double> values(static_cast<std::size_t>(starts[n]));
  std::vector<std::int32_t> rows(values.size()), next(starts.begin(), starts.end() - 1);
  for (Index t = 0; t < x.rows(); ++t) {
    for_each(x.row(t), [&](Index i, double value) {
      const auto place = static_cast<std::size_t>(next[static_cast<std::size_t>(i)]++);
      values[place] = value;
      rows[place] = static_cast<std::int32_t>(t);
    });
  }
  write_binary(folder + "/values.f64", values);
  if (!x.is_sparse()) return;
  write_binary(folder + "/starts.i32", starts);
  write_binary(folder + "/rows.i32", rows);
}

}  // namespace medlar::bench
