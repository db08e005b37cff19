#include "medlar/data/plan.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <string_view>
#include <unordered_map>

namespace medlar {
namespace {

constexpr std::string_view single_column =
    "the file has one column only; if it is text in columns, give the character between them with --delimiter";

// Columns by name. A file without names also takes 1-based numbers.
class Finder {
 public:
  explicit Finder(const Table& table, bool replay = false) : table_(table), replay_(replay) {
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      const auto [place, added] = column_of_.emplace(table.columns[c].name, static_cast<Index>(c));
      if (!added) twice_.emplace(table.columns[c].name, static_cast<Index>(c));
    }
  }

  Index find(const std::string& name) const {
    if (const auto at = column_of_.find(name); at != column_of_.end()) return at->second;
    if (table_.named) return -1;
    Index number = 0;
    const auto [stop, error] = std::from_chars(name.data(), name.data() + name.size(), number);
    const bool whole = error == std::errc() && stop == name.data() + name.size();
    return whole && number >= 1 && number <= static_cast<Index>(table_.columns.size()) ? number - 1 : -1;
  }

  Index require(const std::string& name, std::string_view option) const {
    const Index column = find(name);
    if (column >= 0) {
      require_once(column);
      return column;
    }
    if (table_.columns.size() == 1) fail_at(table_.file, {}, "{} = {}, but {}", option, name, single_column);
    if (!table_.named) {
      fail_at(table_.file, {}, "{} = {}, but the file has no column names; give a number from 1 to {}", option, name,
              table_.columns.size());
    }
    fail_at(table_.file, {}, "{} = {}, but there is no such column; {}", option, name,
            suggestion(name, table_.names()));
  }

  void require_once(Index column) const {
    const std::string& name = table_.columns[static_cast<std::size_t>(column)].name;
    const auto again = twice_.find(name);
    if (again == twice_.end()) return;
    fail_at(table_.file, {}, "columns {} and {} are both called '{}'; rename one{}", column_of_.at(name) + 1,
            again->second + 1, name, replay_ ? "" : fmt::format(" or leave both out with --ignore '{}'", name));
  }

 private:
  const Table& table_;
  bool replay_;  // of a model's columns, which cannot be left out
  std::unordered_map<std::string, Index> column_of_, twice_;
};

// The target if it was not named: the one column with a usual name, else the last one left.
Index guess_target(Table& table, const ReadOptions& options, const std::vector<bool>& used) {
  std::vector<Index> usual;
  Index last = -1;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    if (used[c]) continue;
    last = static_cast<Index>(c);
    if (table.named && is_usual_target(table.columns[c].name)) usual.push_back(last);
  }
  const bool alone =
      std::count(used.begin(), used.end(), false) == 1;  // then it is a feature, where no target is needed
  const bool take_last = options.target_required || (options.target_guessed && !alone);
  const Index target = usual.size() == 1 ? usual.front() : take_last ? last : -1;
  if (target >= 0) {
    table.notes.push_back(fmt::format("target: column '{}' (guessed; set it with --target)",
                                      table.columns[static_cast<std::size_t>(target)].name));
  }
  return target;
}

Plan fresh_plan(Table& table, const ReadOptions& options) {
  const Finder finder(table);
  std::vector<bool> used(table.columns.size(), false);
  const auto take = [&](Index column) { used[static_cast<std::size_t>(column)] = true; };
  for (const std::string& name : options.ignore) {
    if (finder.find(name) < 0) finder.require(name, "ignore");
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      if (table.columns[c].name == name) used[c] = true;
    }
    take(finder.find(name));
  }
  Plan plan;
  const auto take_named = [&](const std::string& name, std::string_view option) {
    const Index column = finder.require(name, option);
    if (used[static_cast<std::size_t>(column)]) {
      throw OptionError(fmt::format("{} = {}, but that column already has another use", option, name));
    }
    take(column);
    return column;
  };
  if (!options.weights.empty()) plan.weights = take_named(options.weights, "weights");
  if (!options.time.empty() && options.sequence_id.empty()) {
    throw OptionError(
        fmt::format("time = {}, but no column tells the sequences apart; give --sequence-id", options.time));
  }
  if (!options.sequence_id.empty()) plan.sequence = take_named(options.sequence_id, "sequence-id");
  if (!options.time.empty()) plan.time = take_named(options.time, "time");
  if (names_a_column(options.label_belief)) plan.beliefs = take_named(options.label_belief, "label-belief");
  if (!options.fold_group.empty()) plan.fold_group = take_named(options.fold_group, "fold-group");
  if (!options.target.empty()) {
    plan.target = take_named(options.target, "target");
  } else if (options.target_file.empty()) {
    plan.target = guess_target(table, options, used);
    if (plan.target >= 0) {
      finder.require_once(plan.target);
      take(plan.target);
    }
  }
  for (std::size_t c = 0; c < used.size(); ++c) {
    if (used[c]) continue;
    finder.require_once(static_cast<Index>(c));
    plan.features.push_back(static_cast<Index>(c));
  }
  if (plan.features.empty())
    fail_at(table.file, {}, "{}",
            table.columns.size() == 1 && !table.lines.empty() ? single_column : "no column is left for features");
  return plan;
}

// Replay on a file without names: by position, where x7 is column 7 of a file that has all columns; a file that has
// the feature columns and nothing else gives them in order.
Plan positional_plan(Table& table, const ReadOptions& options) {
  const Schema& schema = *options.schema;
  const Finder finder(table, true);
  Plan plan;
  const bool features_only = table.columns.size() == schema.columns.size();
  if (!features_only && schema.file_columns > 0 && std::ssize(table.columns) > schema.file_columns) {
    fail_at(
        table.file, {},
        "it has {} and no names, but the model was trained on a file of {}, {} of them features; give it such a file, "
        "or the features alone",
        counted(std::ssize(table.columns), "column"), schema.file_columns, schema.columns.size());
  }
  for (std::size_t k = 0; k < schema.columns.size(); ++k) {
    plan.features.push_back(features_only ? static_cast<Index>(k) : finder.find(schema.columns[k].name));
  }
  if (std::find(plan.features.begin(), plan.features.end(), -1) != plan.features.end()) {
    fail_at(table.file, {},
            "it has {} and no names, but the model needs {}; leave those and no others, or name the columns in a "
            "header line (CSV)",
            counted(static_cast<Index>(table.columns.size()), "column"),
            counted(static_cast<Index>(schema.columns.size()), "feature column"));
  }
  if (!features_only && !schema.target.empty()) plan.target = finder.find(schema.target);
  if (!features_only && !schema.weights.empty()) plan.weights = finder.find(schema.weights);
  if (!features_only && !schema.beliefs.empty()) plan.beliefs = finder.find(schema.beliefs);
  return plan;
}

Plan named_plan(Table& table, const ReadOptions& options) {
  const Schema& schema = *options.schema;
  const Finder finder(table, true);
  Plan plan;
  std::string absent;
  Index count = 0;
  for (const ColumnSchema& column : schema.columns) {
    plan.features.push_back(finder.find(column.name));
    if (plan.features.back() >= 0) {
      finder.require_once(plan.features.back());
    } else if (++count <= 5) {
      absent += (absent.empty() ? "'" : ", '") + column.name + "'";
    }
  }
  if (count > 0) {
    fail_at(table.file, {}, "{} of the model's {} missing: {}{}", count,
            counted(static_cast<Index>(schema.columns.size()), "column"), absent,
            count > 5 ? fmt::format(" and {} more", count - 5) : "");
  }
  if (!schema.target.empty()) plan.target = finder.find(schema.target);
  if (!schema.weights.empty()) plan.weights = finder.find(schema.weights);
  if (!schema.beliefs.empty()) plan.beliefs = finder.find(schema.beliefs);
  return plan;
}

Plan replayed_plan(Table& table, const ReadOptions& options) {
  Plan plan = table.named ? named_plan(table, options) : positional_plan(table, options);
  const Finder finder(table, true);
  if (!options.schema->sequence_id.empty()) plan.sequence = finder.require(options.schema->sequence_id, "sequence-id");
  if (!options.schema->time.empty()) plan.time = finder.require(options.schema->time, "time");
  if (!options.target.empty()) {
    plan.target = finder.require(options.target, "target");
    if (std::find(plan.features.begin(), plan.features.end(), plan.target) != plan.features.end()) {
      throw OptionError(
          fmt::format("target = {}, but the model predicts from that column; name another", options.target));
    }
  }
  if (!options.weights.empty()) plan.weights = finder.require(options.weights, "weights");
  if (!options.target_file.empty()) plan.target = -1;
  if (plan.target < 0 && options.target_required && options.target_file.empty()) {
    if (options.schema->target.empty()) {
      fail_at(table.file, {},
              "the model was trained with targets from elsewhere; give theirs with --target-file, or name "
              "a column with --target");
    }
    fail_at(table.file, {},
            "the target column '{}' is not there; name another with --target or give a file with --target-file",
            options.schema->target);
  }
  return plan;
}

}  // namespace

bool names_a_column(const std::string& label_belief) {
  return !label_belief.empty() && !parse_number(label_belief);
}

bool is_usual_target(const std::string& name) {
  constexpr std::array<std::string_view, 7> usual{"target", "class", "label", "y", "outcome", "response", "type"};
  return std::find(usual.begin(), usual.end(), lower_case(name)) != usual.end();
}

Plan make_plan(Table& table, const ReadOptions& options) {
  if (!options.target.empty() && !options.target_file.empty()) {
    throw OptionError(fmt::format("target = {} and target-file = {}, but only one of them can be the target",
                                  options.target, options.target_file));
  }
  return options.schema ? replayed_plan(table, options) : fresh_plan(table, options);
}

namespace {

void find_outside(Table& table, Index c, double least, double most) {
  if (c < 0) return;
  TableColumn& column = table.columns[static_cast<std::size_t>(c)];
  for (std::size_t t = 0; t < column.numbers.size(); ++t) {
    const double number = column.numbers[t];
    if (!std::isfinite(number) || (number >= least && number <= most)) continue;
    const Place place = table.lines.empty() ? Place{static_cast<Index>(t) + 1, c + 1} : Place{table.lines[t], 0};
    column.first_outside = {place, fmt::format("{}", number)};
    return;
  }
}

}  // namespace

void find_outside(Table& table, const Plan& plan, const ReadOptions& options) {
  find_outside(table, plan.weights, 0, std::numeric_limits<double>::max());
  find_outside(table, plan.beliefs, 0, 1);
  if (options.precision != ValuePrecision::floats) return;
  for (const Index c : plan.features) find_outside(table, c, -largest_for_float, largest_for_float);
}

}  // namespace medlar
