// One column at a time: what it holds decides what it becomes, or the recorded schema does.
#include "medlar/data/columns.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "medlar/numerics/sum.hpp"

namespace medlar {
namespace {

constexpr Index kFewRows = 8;  // of fewer, numbers may well be in order, and texts all different

[[noreturn]] void refuse_missing(const Table& table, const TableColumn& column, std::string_view remedy) {
  const FoundCell& cell = *column.first_missing;
  fail_at(table.file, cell.place, "column '{}' has no value here{}; {}", column.name,
          cell.text.empty() ? std::string() : fmt::format(" ({})", cell.text), remedy);
}

void refuse_infinite(const Table& table, const TableColumn& column) {
  if (!column.first_infinite) return;
  fail_at(table.file, column.first_infinite->place,
          "column '{}' holds {}, but a value must be a finite number; write NA where it is not known", column.name,
          shown(column.first_infinite->text));
}

// Of the numbers that are there, each as often as its weight says.
double mean_of(const std::vector<double>& numbers, const std::vector<double>& weights) {
  const auto weight = [&](std::size_t t) { return weights.empty() ? 1.0 : weights[t]; };
  CompensatedSum total, sum;
  for (std::size_t t = 0; t < numbers.size(); ++t) {
    if (!std::isnan(numbers[t])) total.add(weight(t));
  }
  for (std::size_t t = 0; t < numbers.size(); ++t) {
    if (!std::isnan(numbers[t])) sum.add(numbers[t] * (weight(t) / total.value()));
  }
  return sum.value();
}

// Returns where they were.
std::vector<Index> fill_gaps(std::vector<double>& numbers, double value) {
  std::vector<Index> gaps;
  for (std::size_t t = 0; t < numbers.size(); ++t) {
    if (!std::isnan(numbers[t])) continue;
    numbers[t] = value;
    gaps.push_back(static_cast<Index>(t));
  }
  return gaps;
}

// Texts such as 1,5 and 2,75: numbers written with a decimal comma.
bool decimal_commas(const CodedTexts& texts) {
  return std::all_of(texts.texts().begin(), texts.texts().end(), [](std::string text) {
    std::replace(text.begin(), text.end(), ',', '.');
    return parse_number(text).has_value();
  });
}

void check_levels(const Table& table, const TableColumn& column, ColumnNotes& notes) {
  const CodedTexts& texts = column.texts;
  const bool commas = decimal_commas(texts);
  if (texts.distinct() > std::max<Index>(64, table.rows / 2)) {
    fail_at(table.file, column.first_text->place,
            "column '{}' has {} different texts in {}, such as '{}' here; {} --ignore {}", column.name,
            texts.distinct(), counted(table.rows, "row"), shown(column.first_text->text),
            commas ? "write decimals with a point, or leave it out with"
                   : "an identifier or free text is no category, leave it out with",
            column.name);
  }
  if (texts.distinct() == table.rows && table.rows >= kFewRows) {
    notes.tell(fmt::format("column '{}' has another text in every row, as an identifier has; --ignore {} leaves it out",
                           column.name, column.name));
  }
  const auto numbers = std::count_if(texts.texts().begin(), texts.texts().end(),
                                     [](const std::string& text) { return parse_number(text).has_value(); });
  if (!commas && 2 * numbers > texts.distinct()) {
    notes.tell(fmt::format(
        "column '{}' is taken as a category of {} levels, because '{}' (line {}) is no number, though "
        "{} of its levels are; if it stands for a missing value, write NA",
        column.name, texts.distinct(), shown(column.first_text->text), column.first_text->place.line, numbers));
  }
  if (commas) {
    notes.tell(fmt::format("column '{}' is taken as a category of {} levels; for numbers write decimals with a point",
                           column.name, texts.distinct()));
  }
}

// Each number is the one before it and 1: the rows are counted.
bool counts_the_rows(const std::vector<double>& numbers) {
  const auto steps = [](double a, double b) { return b != a + 1; };
  return std::ssize(numbers) >= kFewRows && std::adjacent_find(numbers.begin(), numbers.end(), steps) == numbers.end();
}

}  // namespace

void ColumnNotes::tell(std::string sentence) {
  if (++columns <= 5) told.push_back(std::move(sentence));
}

void ColumnNotes::move_to(std::vector<std::string>& notes) {
  for (std::string& sentence : told) notes.push_back(std::move(sentence));
  if (columns > 5) notes.push_back(fmt::format("and likewise for {}", counted(columns - 5, "more column")));
}

// Under a name that no level has.
void add_other_level(ColumnSchema& schema) {
  std::string name = "(other)";
  while (std::find(schema.levels.begin(), schema.levels.end(), name) != schema.levels.end()) name = "(" + name + ")";
  schema.levels.push_back(name);
  schema.other = true;
}

EncodedColumn decide_column(const Table& table, TableColumn& column, const ReadOptions& options,
                            const std::vector<double>& weights, ColumnSchema& schema, ColumnNotes& notes) {
  const bool impute = options.missing == "mean";
  const bool keep = options.missing == "keep" || (options.missing == "auto" && options.may_miss);
  schema.name = column.name;
  require_utf8(column.name, table.file, column.heading);
  if (column.missing == table.rows) {
    fail_at(table.file, {}, "column '{}' holds no value at all; leave it out with --ignore {}", column.name,
            column.name);
  }
  if (column.missing > 0 && !impute && !keep) {
    refuse_missing(
        table, column,
        fmt::format("{}, --model generative, which does without it, or leave the column out with --ignore {}",
                    column.numeric() ? "use --missing mean to fill in the column's mean"
                                     : "use --missing mean to count it as none of the categories",
                    column.name));
  }
  if (!column.numeric()) {
    check_levels(table, column, notes);
    column.texts.sort();
    schema.levels.assign(column.texts.texts().begin(), column.texts.texts().end());
    if (options.other_level) add_other_level(schema);
    if (column.missing > 0) {
      notes.tell(fmt::format("column '{}': {} counted as none of its {}", column.name,
                             counted(column.missing, "missing value"), counted(column.texts.distinct(), "level")));
    }
    EncodedColumn encoded{{}, column.texts.codes()};
    column = {};
    return encoded;
  }
  refuse_infinite(table, column);
  if (counts_the_rows(column.numbers)) {
    notes.tell(
        fmt::format("column '{}' counts the rows from {:.6g} on, as an identifier does; --ignore {} leaves it out",
                    column.name, column.numbers.front(), column.name));
  }
  if (impute) schema.fill = mean_of(column.numbers, weights);
  schema.open = keep;
  std::vector<Index> imputed;
  if (column.missing > 0 && keep) {
    notes.tell(fmt::format("column '{}': {} left open", column.name, counted(column.missing, "missing value")));
  } else if (column.missing > 0) {
    imputed = fill_gaps(column.numbers, *schema.fill);
    notes.tell(fmt::format("column '{}': {} replaced by the mean {:.6g}", column.name,
                           counted(column.missing, "missing value"), *schema.fill));
  }
  return {std::move(column.numbers), {}, std::move(imputed)};
}

EncodedColumn replay_column(const Table& table, TableColumn& column, const ColumnSchema& schema, ColumnNotes& notes) {
  if (!schema.categorical()) {
    if (column.first_text) {
      fail_at(table.file, column.first_text->place, "column '{}' holds '{}', but the model wants a number there",
              schema.name, shown(column.first_text->text));
    }
    refuse_infinite(table, column);
    if (column.missing > 0) {
      if (schema.open) return {std::move(column.numbers), {}};
      if (!schema.fill) {
        refuse_missing(table, column, "the model was trained without --missing mean and has no value to fill in");
      }
      fill_gaps(column.numbers, *schema.fill);
      notes.tell(fmt::format("column '{}': {} replaced by the training mean {:.6g}", schema.name,
                             counted(column.missing, "missing value"), *schema.fill));
    }
    return {std::move(column.numbers), {}};
  }
  if (column.texts.size() != table.rows) {
    fail_at(table.file, {}, "column '{}' holds numbers, but the model wants categories there", column.name);
  }
  std::unordered_map<std::string_view, Column> known;
  for (std::size_t k = 0; k < schema.levels.size(); ++k) known.emplace(schema.levels[k], static_cast<Column>(k));
  std::vector<Column> level_of;
  for (const std::string& text : column.texts.texts()) {
    const auto found = known.find(text);
    level_of.push_back(found == known.end() ? -1 : found->second);
  }
  const auto other = schema.other ? static_cast<Column>(schema.levels.size() - 1) : Column{-1};
  EncodedColumn encoded{{}, column.texts.codes()};
  Index unseen = 0;
  const std::string* example = nullptr;
  for (Column& code : encoded.codes) {
    if (code < 0) continue;
    const auto text = static_cast<std::size_t>(code);
    code = level_of[text];
    if (code >= 0) continue;
    code = other;
    ++unseen;
    if (!example) example = &column.texts.texts()[text];
  }
  if (unseen > 0) {
    notes.tell(fmt::format("column '{}': {} such as '{}' not seen in training, counted as {}", schema.name,
                           counted(unseen, "value"), shown(*example),
                           schema.other ? schema.levels.back() : "none of its levels"));
  }
  if (column.texts.missing() > 0) {
    notes.tell(fmt::format("column '{}': {} counted as none of its levels", schema.name,
                           counted(column.texts.missing(), "missing value")));
  }
  column = {};
  return encoded;
}

}  // namespace medlar
