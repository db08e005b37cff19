#include "compare.hpp"

#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <stdexcept>
#include <vector>

namespace medlar::bench {
namespace {

using Line = nlohmann::ordered_json;
using Record = std::map<std::string, Line>;

Record read(const std::string& path, const std::string& only) {
  std::ifstream in(path);
  if (!in) throw std::runtime_error(fmt::format("{} cannot be opened", path));
  const std::regex pattern(only);
  Record record;
  for (std::string text; std::getline(in, text);) {
    Line line = Line::parse(text);
    const auto name = line.at("name").get<std::string>();
    if (std::regex_search(name, pattern)) record.emplace(name, std::move(line));
  }
  return record;
}

std::string text_of(const Line& line, const std::string& field) {
  return line.contains(field) ? line.at(field).dump() : "none";
}

void say(const std::string& name, const std::string& field, const Line& before, const Line& after) {
  fmt::print("{}: {}: {} -> {}\n", name, field, text_of(before, field), text_of(after, field));
}

// Fields that differ, seconds aside.
std::vector<std::string> differences(const Line& before, const Line& after) {
  std::vector<std::string> fields;
  for (const auto& [field, value] : before.items()) {
    if (field != "seconds" && text_of(after, field) != value.dump()) fields.push_back(field);
  }
  for (const auto& item : after.items()) {
    if (!before.contains(item.key())) fields.push_back(item.key());
  }
  return fields;
}

int rank(const std::string& status) {
  const std::string from_best[] = {"converged", "almost", "limit", "stalled", "interrupted"};
  for (int rank = 0; rank < 5; ++rank) {
    if (from_best[rank] == status) return rank;
  }
  return -1;  // refused
}

bool near(const Line& before, const Line& after, const std::string& field) {
  const Line &a = before.at(field), &b = after.at(field);
  if (!a.is_number() || !b.is_number()) return a == b;
  const Line& primal = before.at("F");
  const double size = 1 + (primal.is_number() ? std::abs(primal.get<double>()) : 0);
  return std::abs(a.get<double>() - b.get<double>()) <= before.at("tolerance").get<double>() * size;
}

// The fields of a line that are worse than they were.
std::vector<std::string> disagreements(const Line& before, const Line& after) {
  const int was = rank(before.at("status").get<std::string>()), is = rank(after.at("status").get<std::string>());
  if (was < 0 || is < 0) return was == is ? std::vector<std::string>{} : std::vector<std::string>{"status"};
  std::vector<std::string> fields;
  if (is > was) fields.push_back("status");
  for (const char* field : {"J", "F"}) {
    if (!near(before, after, field)) fields.push_back(field);
  }
  return fields;
}

struct Passes {
  long long before = 0, after = 0;
  std::map<std::string, std::pair<long long, long long>> by_kind;
  std::vector<std::string> more;

  void add(const std::string& name, const Line& was, const Line& is) {
    if (!was.contains("passes") || !is.contains("passes")) return;
    const auto a = was.at("passes").get<long long>(), b = is.at("passes").get<long long>();
    before += a, after += b;
    auto& kind = by_kind[name.substr(0, name.find('/'))];
    kind.first += a, kind.second += b;
    if (b > a) more.push_back(fmt::format("{}: {} -> {}", name, a, b));
  }
};

int missing(const Record& from, const Record& in, const std::string& where) {
  int count = 0;
  for (const auto& item : from) {
    if (in.contains(item.first)) continue;
    fmt::print("{}: missing in {}\n", item.first, where);
    ++count;
  }
  return count;
}

}  // namespace

bool compare_records(const CompareOptions& how) {
  const Record before = read(how.before, how.only), after = read(how.after, how.only);
  if (before.empty()) throw std::runtime_error(fmt::format("no line of {} is asked for", how.before));
  const int alone = missing(before, after, how.after) + missing(after, before, how.before);
  int both = 0, equal = 0, differing = 0;
  Passes passes;
  for (const auto& [name, was] : before) {
    const auto found = after.find(name);
    if (found == after.end()) continue;
    ++both;
    const Line& is = found->second;
    if (differences(was, is).empty()) ++equal;
    const auto fields = how.loose ? disagreements(was, is) : differences(was, is);
    for (const std::string& field : fields) say(name, field, was, is);
    differing += !fields.empty();
    passes.add(name, was, is);
  }
  fmt::print("{} of {} entries are equal to the bit\n", equal, both);
  fmt::print("{} entries {}, {} are missing on one side\n", differing, how.loose ? "are worse" : "differ", alone);
  fmt::print("passes: {} before, {} after\n", passes.before, passes.after);
  for (const auto& [kind, sums] : passes.by_kind) {
    if (sums.first != sums.second) fmt::print("passes of {}: {} before, {} after\n", kind, sums.first, sums.second);
  }
  if (how.loose) {
    for (const std::string& line : passes.more) fmt::print("more passes: {}\n", line);
  }
  return differing == 0 && alone == 0 && (!how.loose || passes.after <= passes.before);
}

}  // namespace medlar::bench
