// CSV to a table. The text stands in memory: one pass takes the numbers and learns which columns hold texts, a second
// one codes the texts of those columns that are wanted.
#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "medlar/data/columns.hpp"
#include "medlar/data/csv_header.hpp"
#include "medlar/data/csv_records.hpp"
#include "medlar/data/readers.hpp"

namespace medlar {
namespace {

char delimiter_of(std::string_view text, const ReadOptions& options) {
  const std::string& wanted = options.delimiter;
  if (wanted == "auto" || wanted.empty()) return options.format == "tsv" ? '\t' : guess_delimiter(text);
  if (wanted == "tab" || wanted == "\\t") return '\t';
  if (wanted == "space") return ' ';
  if (wanted.size() == 1 && wanted != "\"" && wanted != "\n" && wanted != "\r") return wanted[0];
  throw OptionError(fmt::format("delimiter = {}, but must be auto, tab, space or one character", wanted));
}

class Reader {
 public:
  Reader(Input& input, const ReadOptions& options) : options_(options) {
    table_.file = input.name();
    text_ = input.rest();
    view_ = text_;
    if (view_.starts_with("\xef\xbb\xbf")) view_.remove_prefix(3);
    refuse_binary();
    delimiter_ = delimiter_of(view_, options);
  }

  Dataset read() {
    read_numbers();
    settle_header();
    drop_empty_column();
    const Plan plan = make_plan(table_, options_);
    read_texts(wanted_as_texts(table_, plan, options_));
    text_ = {};
    return make_dataset(std::move(table_), plan, options_);
  }

 private:
  void refuse_binary() const {
    if (view_.starts_with("\xff\xfe") || view_.starts_with("\xfe\xff")) {
      fail_at(table_.file, {}, "this is UTF-16 text; convert it, for example with iconv -f utf-16 -t utf-8");
    }
    const std::size_t zero = view_.find('\0');
    if (zero == std::string_view::npos) return;
    const auto line = std::count(view_.begin(), view_.begin() + static_cast<std::ptrdiff_t>(zero), '\n') + 1;
    fail_at(table_.file, {line, 0}, "a zero byte; this is a binary file and no text");
  }

  // Adds one cell to the numbers of column c and to what is known of it.
  void take(std::size_t c, const CsvCell& cell) {
    TableColumn& column = table_.columns[c];
    if (column.first_text) {
      if (!is_missing(cell.text)) return;
    } else if (const auto number = parse_number(cell.text); number && !std::isnan(*number)) {
      if (std::isinf(*number) && !column.first_infinite) column.first_infinite = {cell.place, std::string(cell.text)};
      column.numbers.push_back(*number);
      return;
    } else if (number || is_missing(cell.text)) {
      column.numbers.push_back(std::numeric_limits<double>::quiet_NaN());
    } else {
      column.first_text = {cell.place, std::string(cell.text)};
      column.numbers = {};
      return;
    }
    ++column.missing;
    if (!column.first_missing) column.first_missing = {cell.place, std::string(cell.text)};
  }

  void read_numbers() {
    CsvRecords records(view_, delimiter_, table_.file);
    if (!records.next()) fail_at(table_.file, {}, "the file is empty");
    first_line_ = records.line();
    for (const CsvCell& cell : records.cells()) {
      first_.emplace_back(cell.text);
      first_places_.push_back(cell.place);
    }
    table_.columns.resize(first_.size());
    while (records.next()) {
      const auto& cells = records.cells();
      if (cells.size() != first_.size()) {
        fail_at(table_.file, {records.line(), 0}, "{}, but line {} has {}",
                counted(static_cast<Index>(cells.size()), "cell"), first_line_, first_.size());
      }
      for (std::size_t c = 0; c < cells.size(); ++c) take(c, cells[c]);
      table_.lines.push_back(records.line());
    }
  }

  // What lies below the first line; texts are looked at again, in the first rows only.
  std::vector<ColumnBelow> below() const {
    std::vector<ColumnBelow> columns(first_.size());
    std::vector<std::unordered_set<std::string>> distinct(first_.size());
    std::vector<Index> texts(first_.size(), 0);
    CsvRecords records(view_, delimiter_, table_.file);
    records.next();
    for (int row = 0; row < 1000 && records.next(); ++row) {
      for (std::size_t c = 0; c < first_.size(); ++c) {
        const std::string_view text = records.cells()[c].text;
        if (table_.columns[c].numeric()) continue;
        columns[c].recurs = columns[c].recurs || text == first_[c];
        distinct[c].emplace(text);
        ++texts[c];
      }
    }
    for (std::size_t c = 0; c < first_.size(); ++c) {
      columns[c].texts = !table_.columns[c].numeric();
      columns[c].numbers = !columns[c].texts && table_.columns[c].missing < static_cast<Index>(table_.lines.size());
      columns[c].blanks = table_.columns[c].missing > 0;
      columns[c].repetitive = columns[c].texts && 2 * static_cast<Index>(distinct[c].size()) <= texts[c];
    }
    return columns;
  }

  void settle_header() {
    std::string why;
    table_.named = first_line_is_header(first_, below(), options_, why);
    if (!why.empty())
      table_.notes.push_back(fmt::format("the first line holds {} (guessed; set it with --header)", why));
    for (std::size_t c = 0; c < first_.size(); ++c) {
      const bool unnamed = !table_.named || first_[c].empty();
      table_.columns[c].name = unnamed ? numbered_name(c) : first_[c];
    }
    if (!table_.named) {
      table_.lines.insert(table_.lines.begin(), first_line_);
      for (std::size_t c = 0; c < first_.size(); ++c) take_first(c);
    }
    table_.rows = static_cast<Index>(table_.lines.size());
    if (table_.rows == 0) {
      fail_at(table_.file, {},
              "the file holds column names and no example; if its one line is an example use --header no");
    }
  }

  // The first line was held back until it was known not to be names.
  void take_first(std::size_t c) {
    TableColumn rest = std::move(table_.columns[c]);
    TableColumn& column = table_.columns[c] = {};
    column.name = rest.name;
    take(c, {first_[c], first_places_[c]});
    column.missing += rest.missing;
    if (!column.first_missing) column.first_missing = rest.first_missing;
    if (!column.first_infinite) column.first_infinite = rest.first_infinite;
    if (!column.first_text) column.first_text = rest.first_text;
    if (column.first_text) {
      column.numbers = {};
      return;
    }
    rest.numbers.insert(rest.numbers.begin(), column.numbers.front());
    column.numbers = std::move(rest.numbers);
  }

  // Every line ends with a delimiter: there is one column more than anyone meant.
  void drop_empty_column() {
    const TableColumn& last = table_.columns.back();
    const bool unnamed = !table_.named || first_.back().empty();
    if (!unnamed || table_.columns.size() < 2 || last.missing < table_.rows) return;
    table_.notes.push_back(fmt::format("column {} is empty and has no name; it is left out", table_.columns.size()));
    table_.columns.pop_back();
  }

  void read_texts(const std::vector<bool>& wanted) {
    if (std::find(wanted.begin(), wanted.end(), true) == wanted.end()) return;
    CsvRecords records(view_, delimiter_, table_.file);
    if (table_.named) records.next();
    while (records.next()) {
      for (std::size_t c = 0; c < wanted.size(); ++c) {
        if (wanted[c]) table_.columns[c].texts.add(records.cells()[c].text);
      }
    }
  }

  const ReadOptions& options_;
  std::string text_;
  std::string_view view_;
  char delimiter_ = ',';
  Table table_;
  std::vector<std::string> first_;
  std::vector<Place> first_places_;
  Index first_line_ = 1;
};

}  // namespace

Dataset read_csv(Input& input, const ReadOptions& options) {
  return Reader(input, options).read();
}

}  // namespace medlar
