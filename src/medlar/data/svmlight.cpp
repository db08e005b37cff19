// svmlight / LIBSVM text: one example a line, "label index:value index:value ... # comment", indices from 1.
// Blocks of lines are parsed side by side (svmlight_block.cpp) and laid one behind the other here.
#include <algorithm>
#include <string>

#include "medlar/data/coded_texts.hpp"
#include "medlar/data/in_order.hpp"
#include "medlar/data/memory.hpp"
#include "medlar/data/plan.hpp"
#include "medlar/data/readers.hpp"
#include "medlar/data/svmlight_block.hpp"
#include "medlar/data/target.hpp"
#include "medlar/linalg/threads.hpp"

namespace medlar {
namespace {

class SvmlightReader {
 public:
  SvmlightReader(Input& input, const ReadOptions& options)
      : input_(input),
        options_(options),
        known_(options.schema ? options.schema->features : 0),
        as_floats_(options.precision == "float") {}

  Dataset read(std::size_t block_size) {
    TextBlocks blocks(input_, block_size);
    const auto parse = [&](SvmlightBlock& part, Index first_line) {
      part.parse(first_line, input_.name(), options_, known_);
    };
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
    make_room(columns_, part.entries, fraction);
    const auto before = static_cast<Index>(columns_.size());
    for (const Index end : part.ends) starts_.push_back(before + end);
    for (const Index line : part.line_of) line_of_.push_back(first_line + line);
    for (const std::string_view label : part.labels) labels_.add(label);
    columns_.insert(columns_.end(), part.columns.get(), part.columns.get() + part.entries);
    const auto add_values = [&](auto& all) {
      make_room(all, part.entries, fraction);
      all.insert(all.end(), part.values.get(), part.values.get() + part.entries);  // rounds to floats
    };
    as_floats_ ? add_values(floats_) : add_values(values_);
    largest_ = std::max(largest_, part.largest);
    query_ids_ += part.query_ids;
    beyond_ += part.beyond;
  }

  Dataset dataset() {
    Dataset data;
    const Index features = known_ > 0 ? known_ : std::max({largest_, options_.features, Index{0}});
    if (features == 0)
      fail_at(input_.name(), {}, "no line has a feature, index:value; is the file svmlight (--format)?");
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
    data.x = Matrix::sparse(examples, features, std::move(starts_), std::move(columns_),
                            as_floats_ ? Numbers(std::move(floats_)) : Numbers(std::move(values_)));
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
  const ReadOptions& options_;
  Index known_;  // replay: features of the schema; 0 when deciding anew
  bool as_floats_;
  CodedTexts labels_;
  std::vector<Index> starts_{0};
  std::vector<Column> columns_;
  std::vector<double> values_;  // or, as the precision is,
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
