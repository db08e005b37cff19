// Sequences in the format of the UCR and UEA archives (.ts): lines of "@key value" up to @data, then one sequence per
// line, with channels separated by ":", values by ",", and the label after the last ":" if @classLabel is true.
#include <algorithm>
#include <cmath>

#include "medlar/data/bytes/input.hpp"
#include "medlar/data/coded_texts.hpp"
#include "medlar/data/lines.hpp"
#include "medlar/data/readers.hpp"
#include "medlar/data/sequence_rows.hpp"
#include "medlar/data/target.hpp"
#include "medlar/data/text.hpp"

namespace medlar {
namespace {

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(at, begin), text.size());
    parts.push_back(trim(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return parts;
}

class TsReader {
 public:
  TsReader(Input& input, const ReadOptions& options) : file_(input.name()), options_(options), lines_(input) {}

  Dataset read() {
    for (std::string_view line; lines_.next(line);) {
      line_start_ = line.data();
      line = trim(line);
      if (line.empty() || line.starts_with('#') || line.starts_with('%')) continue;
      if (in_data_) {
        read_sequence(line);
      } else if (line.starts_with('@')) {
        read_header(line);
      } else {
        fail(line, "'{}' stands before @data", shown(line));
      }
    }
    if (!in_data_) fail_at(file_, {}, "there is no @data line; is this a .ts file?");
    if (sequences_.empty()) fail_at(file_, {}, "the file holds no sequence");
    Dataset data;
    std::vector<std::string> names;
    for (std::size_t c = 1; c <= channels_; ++c) names.push_back(channels_ == 1 ? "t" : fmt::format("channel{}", c));
    data.lines = line_of_;
    lay_sequences(sequences_, static_cast<Index>(channels_), names, data);
    data.target = make_target(std::move(labels_), file_, line_of_, classes_);
    data.schema.format = "ts";
    data.schema.target = labelled_ ? "label" : "";
    return data;
  }

 private:
  // `here` is a part of the current line.
  template <class... Args>
  [[noreturn]] void fail(std::string_view here, fmt::format_string<Args...> sentence, Args&&... args) const {
    fail_at(file_, {lines_.number(), here.data() - line_start_ + 1}, sentence, std::forward<Args>(args)...);
  }

  void read_header(std::string_view line) {
    const std::vector<std::string_view> words = split(line, ' ');
    const std::string key = lower_case(words.front());
    const std::string value = words.size() > 1 ? lower_case(words[1]) : "";
    if (key == "@data") in_data_ = true;
    if (key == "@timestamps" && value == "true")
      fail(words[1], "@timestamps true: sequences with times of their own are not read");
    if ((key == "@classlabel" || key == "@targetlabel") && value == "true") labelled_ = true;
    if (key == "@classlabel" && value == "true") classes_ = true;
  }

  void read_sequence(std::string_view line) {
    std::vector<std::string_view> parts = split(line, ':');
    if (labelled_) {
      if (parts.size() < 2) fail(line, "the sequence has no label after a ':', but the header says that it has");
      labels_.add(parts.back());
      parts.pop_back();
    } else {
      labels_.add("");
    }
    if (channels_ == 0) channels_ = parts.size();
    if (options_.schema && channels_ != static_cast<std::size_t>(options_.schema->channels)) {
      fail(line, "the sequence has {} channels, but the model was trained on {}", parts.size(),
           options_.schema->channels);
    }
    if (parts.size() != channels_)
      fail(line, "the sequence has {} channels, but those before have {}", parts.size(), channels_);
    std::vector<std::vector<double>> channel;
    for (const std::string_view part : parts) {
      if (part.empty()) fail(part, "the sequence is empty; remove the line");
      channel.emplace_back();
      for (const std::string_view text : split(part, ',')) channel.back().push_back(number(text));
      if (channel.back().size() != channel.front().size()) {
        fail(part, "channel {} has {} values, but channel 1 has {}", channel.size(), channel.back().size(),
             channel.front().size());
      }
    }
    std::vector<double>& values = sequences_.emplace_back();
    for (std::size_t tau = 0; tau < channel.front().size(); ++tau) {
      for (const std::vector<double>& each : channel) values.push_back(each[tau]);
    }
    line_of_.push_back(lines_.number());
  }

  double number(std::string_view text) const {
    const auto value = parse_number(text);
    if (!value || !std::isfinite(*value)) fail(text, "value '{}', but a value must be a finite number", shown(text));
    return *value;
  }

  std::string file_;
  const ReadOptions& options_;
  Lines lines_;
  const char* line_start_ = nullptr;
  bool in_data_ = false, labelled_ = false, classes_ = false;
  std::size_t channels_ = 0;
  std::vector<std::vector<double>> sequences_;
  CodedTexts labels_;
  std::vector<Index> line_of_;
};

}  // namespace

Dataset read_ts(Input& input, const ReadOptions& options) {
  for (const auto& [name, value] : {std::pair{"target", options.target},
                                    {"weights", options.weights},
                                    {"fold-group", options.fold_group},
                                    {"sequence-id", options.sequence_id},
                                    {"time", options.time}}) {
    if (value.empty()) continue;
    throw OptionError(
        fmt::format("{} = {}, but {} is a .ts file, which has no columns by name", name, value, input.name()));
  }
  return TsReader(input, options).read();
}

}  // namespace medlar
