// The rule, where the options do not say. The first line holds names if
//   1. a schema is replayed and one of its names is there, or else
//   2. some column has a text there and numbers only below, or
//   3. some cell is a usual name of a target, such as class, and does not recur below it, or
//   4. all columns are texts, the first line's are distinct and none recurs below, though some column's texts repeat
//      (or nothing is below).
#include "medlar/data/csv_header.hpp"

#include <algorithm>
#include <unordered_set>

#include "medlar/data/plan.hpp"

namespace medlar {
namespace {

bool is_text(const std::string& cell) {
  return !is_missing(cell) && !parse_number(cell);
}

bool holds_schema_names(const std::vector<std::string>& first, const Schema& schema) {
  std::unordered_set<std::string_view> names;
  for (const ColumnSchema& column : schema.columns) names.insert(column.name);
  if (!schema.target.empty()) names.insert(schema.target);
  return std::any_of(first.begin(), first.end(), [&](const std::string& cell) { return names.contains(cell); });
}

}  // namespace

bool first_line_is_header(const std::vector<std::string>& first, const std::vector<ColumnBelow>& below,
                          const ReadOptions& options, std::string& why) {
  if (options.header == "yes") return true;
  if (options.header == "no") return false;
  if (options.schema && holds_schema_names(first, *options.schema)) return true;
  bool all_texts = true, any_repetitive = false, anything = false;
  for (std::size_t c = 0; c < first.size(); ++c) {
    if (is_text(first[c]) && below[c].numbers && !below[c].texts) {
      why = fmt::format("column names: '{}' stands above numbers", shown(first[c]));
      return true;
    }
    if (is_usual_target(first[c]) && !below[c].recurs) {
      why = fmt::format("column names: '{}' is one", shown(first[c]));
      return true;
    }
    all_texts = all_texts && is_text(first[c]) && !below[c].recurs;
    any_repetitive = any_repetitive || below[c].repetitive;
    anything = anything || below[c].numbers || below[c].texts || below[c].blanks;
  }
  const std::unordered_set<std::string_view> distinct(first.begin(), first.end());
  if (all_texts && (any_repetitive || (!anything && !options.schema)) && distinct.size() == first.size()) {
    why = "column names: none of them recurs below";
    return true;
  }
  why = "an example, not column names";
  return false;
}

}  // namespace medlar
