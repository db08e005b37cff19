// svmlight / LIBSVM text: one example per line, "label index:value index:value ... # comment", indices from 1. Blocks
// of lines are parsed side by side (svmlight_block.cpp) and put together here. Where indices are few and far between,
// as hashes are, only features that occur become columns, so 32 bits are enough for them.
#include <algorithm>
#include <limits>
#include <span>
#include <string>

#include "medlar/data/bytes/memory.hpp"
#include "medlar/data/coded_texts.hpp"
#include "medlar/data/in_order.hpp"
#include "medlar/data/plan.hpp"
#include "medlar/data/readers.hpp"
#include "medlar/data/svmlight_block.hpp"
#include "medlar/data/target.hpp"
#include "medlar/linalg/threads.hpp"

namespace medlar {
namespace {

constexpr Index kAlwaysAll = Index{1} << 20;  // up to this many features are named whether or not they occur

class SvmlightReader {
 public:
  SvmlightReader(Input& input, const ReadOptions& options)
      : input_(input),
        options_(options),
        known_(options.schema ? options.schema->features : 0),
        as_floats_(options.precision == ValuePrecision::floats) {}

  Dataset read(std::size_t block_size) {
    TextBlocks blocks(input_, block_size);
    const auto parse = [&](SvmlightBlock& part, Index first_line) { part.parse(first_line, input_.name(), options_); };
    const auto take = [&](const SvmlightBlock& part, Index first_line) { append(part, first_line); };
    parse_in_order<SvmlightBlock>(blocks, thread_count(options_.threads), parse, take);
    if (line_of_.empty()) fail_at(input_.name(), {}, "the file holds no example");
    return dataset();
  }

 private:
  void append(const SvmlightBlock& part, Index first_line) {
    const double fraction = part.block.fraction();
    make_room(starts_, part.ends.size(), fraction);
    make_room(line_of_, part.ends.size(), fraction);
    const auto before = static_cast<Index>(stored());
    for (const Index end : part.ends) starts_.push_back(before + end);
    for (const Index line : part.line_of) line_of_.push_back(first_line + line);
    for (const std::string_view label : part.labels) labels_.add(label);
    const auto add = [&](const auto* entries, auto& all) {
      make_room(all, part.entries, fraction);
      all.insert(all.end(), entries, entries + part.entries);  // rounds to floats
    };
    if (part.wide && !wide_) widen();
    if (!wide_) {
      add(part.columns.get(), columns_);
    } else {
      part.wide ? add(part.wide_columns.get(), wide_columns_) : add(part.columns.get(), wide_columns_);
    }
    as_floats_ ? add(part.values.get(), floats_) : add(part.values.get(), values_);
    largest_ = std::max(largest_, part.largest);
    query_ids_ += part.query_ids;
    beyond_ += part.beyond;
  }

  std::size_t stored() const { return as_floats_ ? floats_.size() : values_.size(); }

  void widen() {
    wide_columns_.reserve(columns_.capacity());
    wide_columns_.assign(columns_.begin(), columns_.end());
    columns_ = {};
    wide_ = true;
  }

  bool far_between() const {
    return wide_ || largest_ > std::max({kAlwaysAll, options_.features, static_cast<Index>(stored())});
  }

  // The indices that occur; columns become places among them.
  template <class Number>
  std::vector<Index> renumber(std::vector<Number>& column_of) {
    require_memory(static_cast<double>(column_of.size()) * 2 * sizeof(Index),
                   fmt::format("{}: renumbering its features", input_.name()), "read fewer lines");
    std::vector<Index> indices(column_of.begin(), column_of.end());
    for (const std::string& name : options_.named) {
      if (const auto index = index_named(name)) indices.push_back(*index - 1);
    }
    std::sort(indices.begin(), indices.end());
    indices.erase(std::unique(indices.begin(), indices.end()), indices.end());
    if (std::ssize(indices) > std::numeric_limits<Column>::max()) {
      fail_at(input_.name(), {}, "{} different features occur, but at most {} can be numbered", indices.size(),
              std::numeric_limits<Column>::max());
    }
    std::vector<Column> places(column_of.size());
    for (std::size_t t = 0; t + 1 < starts_.size(); ++t) {
      auto at = indices.begin();
      for (auto j = static_cast<std::size_t>(starts_[t]); j < static_cast<std::size_t>(starts_[t + 1]); ++j) {
        at = std::lower_bound(at, indices.end(), Index{column_of[j]});
        places[j] = static_cast<Column>(at - indices.begin());
      }
    }
    column_of = {};
    columns_ = std::move(places);
    for (Index& index : indices) ++index;  // columns count from 0
    return indices;
  }

  // How many features there are. Where not all of 1, 2, 3, ... are, data.schema.indices has theirs.
  Index number_features(Dataset& data) {
    if (options_.schema) data.schema.indices = options_.schema->indices;
    if (known_ > 0) return known_;
    if (!far_between()) return std::max({largest_, options_.features, Index{0}});
    data.schema.indices = wide_ ? renumber(wide_columns_) : renumber(columns_);
    data.notes.push_back(fmt::format("of the indices up to {}, {} occur: only these are features, named by their index",
                                     largest_, data.schema.indices.size()));
    return std::ssize(data.schema.indices);
  }

  Dataset dataset() {
    Dataset data;
    const Index features = number_features(data);
    if (features == 0) {
      fail_at(
          input_.name(), {}, "{}",
          largest_ > 0 ? "every value is 0" : "no line has a feature, index:value; is the file svmlight (--format)?");
    }
    require_memory(static_cast<double>(features) * 100, fmt::format("{}: naming {} features", input_.name(), features),
                   "renumber the features so that the largest index is small");
    const auto n = static_cast<std::size_t>(features);
    const std::vector<Index>& indices = data.schema.indices;
    data.names.reserve(n);
    data.group_of.reserve(n);
    for (Index i = 0; i < features; ++i) {
      data.names.push_back(std::to_string(indices.empty() ? i + 1 : indices[static_cast<std::size_t>(i)]));
      data.group_of.push_back(i);
    }
    data.group_names = data.names;
    const auto examples = static_cast<Index>(line_of_.size());
    data.x = Matrix::sparse(examples, features, std::move(starts_), std::move(columns_),
                            as_floats_ ? Numbers(std::move(floats_)) : Numbers(std::move(values_)));
    data.target = make_target(std::move(labels_), input_.name(), line_of_);
    data.lines = std::move(line_of_);
    data.schema.format = "svmlight";
    data.schema.target = data.target.present ? "label" : "";
    data.schema.features = features;
    if (query_ids_ > 0) data.notes.push_back(fmt::format("qid is ignored ({})", counted(query_ids_, "time")));
    if (beyond_ > 0) {
      const std::string which = indices.empty() ? fmt::format("above {}", known_) : "that did not occur";
      data.notes.push_back(fmt::format("{} with a feature index {} ignored: the model has no such feature{}",
                                       counted(beyond_, "value"), which,
                                       data.x.stored() > 0 ? "" : ", so that all examples look alike"));
    }
    return data;
  }

  Input& input_;
  const ReadOptions& options_;
  Index known_;  // replay: features of the schema; 0 when deciding anew
  bool as_floats_;
  CodedTexts labels_;
  std::vector<Index> starts_{0};
  bool wide_ = false;  // an index needs more than 32 bits
  std::vector<Column> columns_;
  std::vector<Index> wide_columns_;  // instead, while wide
  std::vector<double> values_;       // or, as the precision is,
  std::vector<float> floats_;
  std::vector<Index> line_of_;
  Index largest_ = 0, query_ids_ = 0, beyond_ = 0;
};

}  // namespace

Dataset read_svmlight(Input& input, const ReadOptions& options, std::size_t block_size) {
  const auto refuse = [&](std::string_view option, std::string_view value) {
    throw OptionError(
        fmt::format("{} = {}, but {} is svmlight, which has no columns by name", option, value, input.name()));
  };
  if (!options.target.empty()) refuse("target", options.target);
  if (!options.weights.empty()) refuse("weights", options.weights);
  if (names_a_column(options.label_belief)) refuse("label-belief", options.label_belief);
  if (!options.fold_group.empty()) refuse("fold-group", options.fold_group);
  if (!options.ignore.empty()) refuse("ignore", options.ignore.front());
  if (!options.sequence_id.empty()) refuse("sequence-id", options.sequence_id);
  if (options.missing != "auto" && options.missing != "refuse") {
    throw OptionError(
        fmt::format("missing = {}, but {} is svmlight, where nothing is missing: what a line leaves out is 0",
                    options.missing, input.name()));
  }
  return SvmlightReader(input, options).read(block_size);
}

}  // namespace medlar
