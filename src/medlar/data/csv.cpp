// CSV to a table. The text is in memory. A first pass takes the numbers and learns which columns hold texts; a second
// one codes the texts of those columns that are wanted. The first pass works in blocks, side by side (csv_block.cpp). A
// block with anything unusual is read cell by cell, and so is a whole text with quotes, which may contain line ends.
#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "medlar/data/bytes/memory.hpp"
#include "medlar/data/columns.hpp"
#include "medlar/data/csv_block.hpp"
#include "medlar/data/csv_header.hpp"
#include "medlar/data/csv_records.hpp"
#include "medlar/data/in_order.hpp"
#include "medlar/data/readers.hpp"
#include "medlar/linalg/threads.hpp"

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

class CsvReader {
 public:
  CsvReader(Input& input, const ReadOptions& options) : options_(options) {
    table_.file = input.name();
    text_ = input.rest();
    view_ = text_.view();
    if (view_.starts_with("\xef\xbb\xbf")) view_.remove_prefix(3);
    delimiter_ = delimiter_of(view_, options);
    refuse_binary();
  }

  Dataset read(std::size_t block_size) {
    read_numbers(block_size);
    settle_header();
    drop_empty_column();
    const Plan plan = make_plan(table_, options_);
    read_texts(wanted_as_texts(table_, plan, options_));
    find_outside(table_, plan, options_);
    complete_places();
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
    const std::size_t begin = view_.rfind('\n', zero) + 1;  // npos + 1 is 0
    fail_at(table_.file, {line, static_cast<Index>(zero - begin) + 1},
            "a zero byte; this is a binary file and no text");
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

  void read_numbers(std::size_t block_size) {
    CsvRecords records(view_, delimiter_, table_.file);
    if (!records.next()) fail_at(table_.file, {}, "the file is empty");
    first_line_ = records.line();
    for (const CsvCell& cell : records.cells()) {
      first_.emplace_back(cell.text);
      first_places_.push_back(cell.place);
    }
    table_.columns.resize(first_.size());
    const Index before = records.next_line() - 1;
    if (!CsvBlock::understands(records.rest(), delimiter_)) {
      take_by_cell(records.rest(), before + 1);
      return;
    }
    struct Part : CsvBlock {
      bool understood = false;
    };
    TextRanges blocks(records.rest(), block_size);
    parse_in_order<Part>(
        blocks, thread_count(options_.threads),
        [&](Part& part, Index) { part.understood = part.parse(delimiter_, first_.size()); },
        [&](Part& part, Index line) {
          if (part.understood && fits(part)) {
            take_block(part, before + line);
          } else {
            part.lines = take_by_cell(part.block, before + line);
          }
        });
  }

  // Gives how many lines there were.
  Index take_by_cell(std::string_view text, Index first_line) {
    CsvRecords records(text, delimiter_, table_.file, first_line);
    while (records.next()) {
      const auto& cells = records.cells();
      if (cells.size() != first_.size()) {
        fail_at(table_.file, cells.size() > first_.size() ? cells[first_.size()].place : cells.back().place,
                "{}, but line {} has {}; complete the line, put quotes around a cell that holds the delimiter, or set "
                "--delimiter",
                counted(static_cast<Index>(cells.size()), "cell"), first_line_, first_.size());
      }
      for (std::size_t c = 0; c < cells.size(); ++c) take(c, cells[c]);
      table_.lines.push_back(records.line());
    }
    return records.next_line() - first_line;
  }

  // A block counts an odd NaN as missing; among texts that earlier lines hold it is one more text.
  bool fits(const CsvBlock& block) const {
    for (std::size_t c = 0; c < first_.size(); ++c) {
      if (block.seen[c].odd && table_.columns[c].first_text) return false;
    }
    return true;
  }

  void take_block(const CsvBlock& block, Index first_line) {
    const double fraction =
        static_cast<double>(block.block.data() + block.block.size() - view_.data()) / static_cast<double>(view_.size());
    const auto note = [&](std::optional<FoundCell>& first, const std::optional<FoundCell>& found) {
      if (first || !found) return;
      first = found;
      first->place.line += first_line;
    };
    for (std::size_t c = 0; c < first_.size(); ++c) {
      TableColumn& column = table_.columns[c];
      const CsvBlock::Seen& seen = block.seen[c];
      column.missing += seen.missing;
      note(column.first_missing, seen.first_missing);
      if (column.first_text) continue;
      note(column.first_infinite, seen.first_infinite);
      note(column.first_text, seen.first_text);
      if (column.first_text) {
        column.numbers = {};
        continue;
      }
      make_room(column.numbers, block.rows(), fraction);
      column.numbers.insert(column.numbers.end(), block.numbers(c), block.numbers(c) + block.rows());
    }
    make_room(table_.lines, block.rows(), fraction);
    for (const Index line : block.line_of) table_.lines.push_back(first_line + line);
  }

  // What lies below the first line; texts are looked at again, in the first rows only.
  std::vector<ColumnBelow> below() const {
    std::vector<ColumnBelow> columns(first_.size());
    std::vector<std::unordered_set<std::string>> distinct(first_.size());
    std::vector<Index> texts(first_.size(), 0);
    CsvRecords records(view_, delimiter_, table_.file);
    records.next();
    const bool all_numeric = std::all_of(table_.columns.begin(), table_.columns.end(),
                                         [](const TableColumn& column) { return column.numeric(); });
    for (int row = 0; row < 1000 && !all_numeric && records.next(); ++row) {
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
      table_.columns[c].heading = first_places_[c];
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
        if (!wanted[c]) continue;
        const CsvCell& cell = records.cells()[c];
        if (table_.columns[c].texts.add(cell.text)) require_utf8(cell.text, table_.file, cell.place);
      }
    }
  }

  // Numbers are kept without their places; those that will be refused are looked up again.
  void complete_places() {
    std::size_t open = 0;
    for (const TableColumn& column : table_.columns) open += column.first_outside.has_value();
    CsvRecords records(view_, delimiter_, table_.file);
    while (open > 0 && records.next()) {
      for (std::size_t c = 0; c < table_.columns.size(); ++c) {
        std::optional<FoundCell>& found = table_.columns[c].first_outside;
        if (!found || found->place.line != records.line()) continue;
        found = {records.cells()[c].place, std::string(records.cells()[c].text)};
        --open;
      }
    }
  }

  const ReadOptions& options_;
  WholeText text_;
  std::string_view view_;
  char delimiter_ = ',';
  Table table_;
  std::vector<std::string> first_;
  std::vector<Place> first_places_;
  Index first_line_ = 1;
};

}  // namespace

Dataset read_csv(Input& input, const ReadOptions& options, std::size_t block_size) {
  return CsvReader(input, options).read(block_size);
}

}  // namespace medlar
