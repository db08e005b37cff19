// Lines of a sequence may be anywhere in the file and in any order of time. What belongs to the whole sequence (target,
// weight, group, belief) must be the same in all its lines; a change is refused with its line.
#include "medlar/data/sequence_rows.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "medlar/data/text.hpp"

namespace medlar {

void lay_sequences(const std::vector<std::vector<double>>& sequences, Index channels,
                   const std::vector<std::string>& channel_names, Dataset& data) {
  std::size_t longest = 0, shortest = sequences.front().size();
  for (const std::vector<double>& each : sequences) {
    longest = std::max(longest, each.size()), shortest = std::min(shortest, each.size());
  }
  std::vector<double> values;
  std::vector<Index> starts{0};
  std::vector<Column> column_of;
  for (const std::vector<double>& each : sequences) {
    values.insert(values.end(), each.begin(), each.end());
    for (std::size_t i = 0; i < each.size() && shortest < longest; ++i) column_of.push_back(static_cast<Column>(i));
    starts.push_back(static_cast<Index>(values.size()));
  }
  const auto rows = static_cast<Index>(sequences.size()), features = static_cast<Index>(longest);
  data.x = shortest == longest
               ? Matrix::dense(rows, features, std::move(values))
               : Matrix::sparse(rows, features, std::move(starts), std::move(column_of), std::move(values));
  data.names.clear();
  data.group_of.clear();
  for (Index i = 0; i < features; ++i) {
    data.names.push_back(fmt::format("{}@{}", channel_names[static_cast<std::size_t>(i % channels)], i / channels + 1));
    data.group_of.push_back(i);
  }
  data.group_names = data.names;
  data.schema.channels = channels;
  data.schema.features = features;
  if (shortest < longest) {
    data.notes.push_back(fmt::format("sequences of {} to {} times", shortest / static_cast<std::size_t>(channels),
                                     longest / static_cast<std::size_t>(channels)));
  }
}

namespace {

// The value that all lines of a sequence share.
template <class Value>
std::vector<Value> one_each(const std::vector<Value>& values, const std::vector<std::vector<std::size_t>>& rows,
                            const std::vector<std::string>& id, const Dataset& data, std::string_view what) {
  std::vector<Value> kept;
  if (values.empty()) return kept;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const Value& first = values[rows[k].front()];
    for (const std::size_t t : rows[k]) {
      const bool both_nan = first != first && values[t] != values[t];
      if (values[t] == first || both_nan) continue;
      fail_at(data.source, {data.lines.empty() ? 0 : data.lines[t], 0},
              "the {} of sequence '{}' changes here; it must be the same in all its lines", what,
              shown(id[rows[k].front()]));
    }
    kept.push_back(first);
  }
  return kept;
}

}  // namespace

void fold_sequences(const std::vector<std::string>& id, const std::vector<double>& time, Dataset& data) {
  std::vector<std::vector<std::size_t>> rows;
  std::unordered_map<std::string, std::size_t> place;
  for (std::size_t t = 0; t < id.size(); ++t) {
    const auto [entry, added] = place.emplace(id[t], rows.size());
    if (added) rows.emplace_back();
    rows[entry->second].push_back(t);
  }
  std::vector<std::vector<double>> sequences;
  const std::vector<std::string> channel_names = data.names;
  const Index channels = data.x.columns();
  for (std::vector<std::size_t>& lines : rows) {
    if (!time.empty()) {
      std::stable_sort(lines.begin(), lines.end(), [&](std::size_t a, std::size_t b) { return time[a] < time[b]; });
    }
    std::vector<double>& values = sequences.emplace_back();
    for (const std::size_t t : lines) {
      std::vector<double> row(static_cast<std::size_t>(channels), 0.0);
      for_each(data.x.row(static_cast<Index>(t)),
               [&](Index i, double value) { row[static_cast<std::size_t>(i)] = value; });
      values.insert(values.end(), row.begin(), row.end());
    }
  }
  data.target.values = one_each(data.target.values, rows, id, data, "target");
  data.target.codes = one_each(data.target.codes, rows, id, data, "target");
  data.weights = one_each(data.weights, rows, id, data, "weight");
  data.fold_group = one_each(data.fold_group, rows, id, data, "group");
  data.beliefs = one_each(data.beliefs, rows, id, data, "belief");
  std::vector<Index> first_lines;
  for (const auto& lines : rows) {
    if (!data.lines.empty()) first_lines.push_back(data.lines[lines.front()]);
  }
  data.lines = std::move(first_lines);
  lay_sequences(sequences, channels, channel_names, data);
}

}  // namespace medlar
