// svmlight / LIBSVM text: one example a line, "label index:value index:value ... # comment", indices from 1.
// Lines are parsed as they stream in; zeros written out are not stored.
#include <fast_float/fast_float.h>

#include <cmath>
#include <limits>

#include "medlar/data/coded_texts.hpp"
#include "medlar/data/lines.hpp"
#include "medlar/data/memory.hpp"
#include "medlar/data/readers.hpp"
#include "medlar/data/target.hpp"
#include "medlar/data/text.hpp"

namespace medlar {
namespace {

constexpr Index largest_index = std::numeric_limits<Column>::max();

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

class Reader {
 public:
  Reader(Input& input, const ReadOptions& options)
      : input_(input), lines_(input), options_(options), known_(options.schema ? options.schema->features : 0) {}

  Dataset read() {
    for (std::string_view line; lines_.next(line);) read_line(line);
    if (line_of_.empty()) fail_at(input_.name(), {}, "the file holds no example");
    return dataset();
  }

 private:
  // One line: the label, then its features; at_ is where we are.
  void read_line(std::string_view line) {
    begin_ = at_ = line.data();
    end_ = line.data() + line.size();
    skip_blanks();
    if (finished()) return;
    labels_.add(label());
    Index previous = 0;
    for (skip_blanks(); !finished(); skip_blanks()) {
      if (std::string_view(at_, end_).starts_with("qid:")) {
        while (at_ < end_ && !is_blank(*at_)) ++at_;
        ++query_ids_;
      } else {
        previous = feature(previous);
      }
    }
    starts_.push_back(static_cast<Index>(values_.size()));
    line_of_.push_back(lines_.number());
  }

  void skip_blanks() {
    while (at_ < end_ && is_blank(*at_)) ++at_;
  }
  bool finished() const { return at_ == end_ || *at_ == '#'; }
  std::string_view word() const {
    const char* stop = at_;
    while (stop < end_ && !is_blank(*stop) && *stop != '#') ++stop;
    return {at_, stop};
  }
  Place place(const char* where) const { return {lines_.number(), where - begin_ + 1}; }

  // A line may do without its label where no target is needed: it then starts with a feature.
  std::string_view label() {
    const std::string_view text = word();
    if (text.find(':') != std::string_view::npos) {
      if (!options_.target_required || !options_.target_file.empty()) return {};
      fail_at(input_.name(), place(at_), "the line starts with '{}' where its label should be", shown(text));
    }
    at_ += text.size();
    return text;
  }

  // "index:value" at at_; gives the index.
  Index feature(Index previous) {
    const char* const start = at_;
    Index index = 0;
    while (at_ < end_ && is_digit(*at_)) {
      index = index > largest_index ? index : 10 * index + (*at_ - '0');
      ++at_;
    }
    if (at_ == start || at_ == end_ || *at_ != ':') {
      at_ = start;
      fail_at(input_.name(), place(start), "'{}' found where index:value should be", shown(word()));
    }
    check_index(index, previous, start);
    ++at_;
    const double value = number();
    if (value == 0) return note_largest(index);
    if (known_ > 0 && index > known_) {
      ++beyond_;
      return index;
    }
    columns_.push_back(static_cast<Column>(index - 1));
    values_.push_back(value);
    return note_largest(index);
  }

  void check_index(Index index, Index previous, const char* start) const {
    if (index > previous && index <= largest_index) return;
    if (index > largest_index) {
      fail_at(input_.name(), place(start),
              "feature index {} is above {}, the largest there can be; renumber the features",
              std::string_view(start, at_), largest_index);
    }
    if (index == 0) {
      fail_at(input_.name(), place(start), "feature index 0, but indices count from 1; add 1 to every index");
    }
    fail_at(input_.name(), place(start), "feature index {} follows {}; indices must increase within a line", index,
            previous);
  }

  double number() {
    const char* const start = at_;
    const char* const digits = at_ + (at_ < end_ && *at_ == '+');
    double value = 0;
    const auto [stop, error] = fast_float::from_chars(digits, end_, value);
    const bool ends = stop == end_ || is_blank(*stop) || *stop == '#';
    if (!ends || stop == digits || (error != std::errc() && error != std::errc::result_out_of_range)) {
      fail_at(input_.name(), place(start), "value '{}' is no number", shown(word()));
    }
    if (!std::isfinite(value)) {
      fail_at(input_.name(), place(start),
              "value {}, but a value must be a finite number; leave the entry out or replace it", shown(word()));
    }
    at_ = stop;
    return value;
  }

  Index note_largest(Index index) {
    if (index > largest_ && (known_ == 0 || index <= known_)) largest_ = index;
    return index;
  }

  Dataset dataset() {
    Dataset data;
    const Index features = known_ > 0 ? known_ : std::max({largest_, options_.features, Index{0}});
    if (features == 0) fail_at(input_.name(), {}, "no example has a feature");
    require_memory(static_cast<double>(features) * 100, fmt::format("{}: naming {} features", input_.name(), features),
                   "renumber the features so that the largest index is small");
    const auto n = static_cast<std::size_t>(features);
    data.names.reserve(n);
    data.group_of.reserve(n);
    for (Index i = 0; i < features; ++i) {
      data.names.push_back(std::to_string(i + 1));
      data.group_of.push_back(i);
    }
    data.group_names = data.names;
    const auto examples = static_cast<Index>(line_of_.size());
    data.x = Matrix::sparse(examples, features, std::move(starts_), std::move(columns_), std::move(values_));
    data.target = make_target(std::move(labels_), input_.name(), line_of_);
    data.lines = std::move(line_of_);
    data.schema.format = "svmlight";
    data.schema.target = data.target.present ? "label" : "";
    data.schema.features = features;
    if (query_ids_ > 0) data.notes.push_back(fmt::format("qid is ignored ({})", counted(query_ids_, "time")));
    if (beyond_ > 0) {
      data.notes.push_back(fmt::format("{} with a feature index above {} ignored: the model has no such feature",
                                       counted(beyond_, "value"), known_));
    }
    return data;
  }

  Input& input_;
  Lines lines_;
  const ReadOptions& options_;
  Index known_;  // replay: features of the schema; 0 when deciding anew
  const char *begin_ = nullptr, *at_ = nullptr, *end_ = nullptr;
  CodedTexts labels_;
  std::vector<Index> starts_{0};
  std::vector<Column> columns_;
  std::vector<double> values_;
  std::vector<Index> line_of_;
  Index largest_ = 0, query_ids_ = 0, beyond_ = 0;
};

}  // namespace

Dataset read_svmlight(Input& input, const ReadOptions& options) {
  const auto refuse = [&](std::string_view option, std::string_view value) {
    throw OptionError(
        fmt::format("{} = {}, but {} is svmlight, which has no columns by name", option, value, input.name()));
  };
  if (!options.target.empty()) refuse("target", options.target);
  if (!options.weights.empty()) refuse("weights", options.weights);
  if (!options.ignore.empty()) refuse("ignore", options.ignore.front());
  return Reader(input, options).read();
}

}  // namespace medlar
