#include "medlar/data/target.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "medlar/data/bytes/input.hpp"
#include "medlar/data/lines.hpp"
#include "medlar/data/text.hpp"

namespace medlar {

Target make_target(CodedTexts texts, const std::string& file, const std::vector<Index>& lines, bool classes) {
  Target target;
  target.present = texts.distinct() > 0;
  if (!target.present) return target;
  texts.sort();
  const auto place = [&](Index code) {
    return Place{lines.empty() ? 0 : lines[static_cast<std::size_t>(texts.first_row(code))], 1};
  };
  std::vector<double> numbers;
  for (const std::string& text : texts.texts()) {
    const auto number = parse_number(text);
    if (!number) break;
    numbers.push_back(*number);
  }
  target.numeric = !classes && numbers.size() == texts.texts().size();
  if (!target.numeric) {
    for (Index code = 0; code < texts.distinct(); ++code) {
      require_utf8(texts.texts()[static_cast<std::size_t>(code)], file, place(code));
    }
    target.labels.assign(texts.texts().begin(), texts.texts().end());
    target.codes = texts.codes();
    return target;
  }
  for (Index code = 0; code < texts.distinct(); ++code) {
    if (std::isinf(numbers[static_cast<std::size_t>(code)])) {
      fail_at(file, place(code), "target {}, but a target must be a finite number",
              shown(texts.texts()[static_cast<std::size_t>(code)]));
    }
  }
  target.values.reserve(static_cast<std::size_t>(texts.size()));
  for (const Column code : texts.codes()) {
    target.values.push_back(code < 0 ? std::numeric_limits<double>::quiet_NaN()
                                     : numbers[static_cast<std::size_t>(code)]);
  }
  return target;
}

void read_target_file(const ReadOptions& options, Dataset& data) {
  if (options.target_file.empty()) return;
  Input input(options.target_file);
  Lines lines(input);
  CodedTexts texts;
  std::vector<Index> line_of;
  Index blank = 0;  // blank lines not yet counted: those at the end say nothing
  for (std::string_view line; lines.next(line);) {
    const std::string_view text = trim(line);
    if (text.empty()) {
      ++blank;
      continue;
    }
    for (; blank > 0; --blank) {
      texts.add("");
      line_of.push_back(lines.number() - blank);
    }
    texts.add(text);
    line_of.push_back(lines.number());
  }
  for (; blank > 0 && texts.size() < data.examples() && texts.size() > 0; --blank) {
    texts.add("");
    line_of.push_back(lines.number());
  }
  if (texts.size() != data.examples()) {
    fail_at(input.name(), {}, "it holds {}, but {} holds {}; one target per line is wanted",
            counted(texts.size(), "target"), data.source == "-" ? "standard input" : data.source,
            counted(data.examples(), "example"));
  }
  data.target = make_target(std::move(texts), input.name(), line_of);
  data.schema.target.clear();
  data.notes.push_back(fmt::format("target: the lines of {}", input.name()));
}

namespace {

bool is_target(const Target& target, std::size_t t) {
  return target.numeric ? !std::isnan(target.values[t]) : target.codes[t] >= 0;
}

// Labels that are all numbers, once one that was none is gone.
void make_numeric(Target& target) {
  std::vector<double> numbers;
  for (const std::string& label : target.labels) {
    const auto number = parse_number(label);
    if (!number || !std::isfinite(*number)) return;
    numbers.push_back(*number);
  }
  target.numeric = true;
  for (const Column code : target.codes) {
    target.values.push_back(code < 0 ? std::numeric_limits<double>::quiet_NaN()
                                     : numbers[static_cast<std::size_t>(code)]);
  }
  target.codes.clear();
  target.labels.clear();
}

}  // namespace

void forget_unlabelled(const ReadOptions& options, Dataset& data) {
  if (options.unlabelled.empty() || !data.target.present) return;
  Target& target = data.target;
  if (target.numeric) {
    const auto number = parse_number(options.unlabelled);
    for (double& value : target.values) {
      if (number && value == *number) value = std::numeric_limits<double>::quiet_NaN();
    }
  } else if (const auto found = std::find(target.labels.begin(), target.labels.end(), options.unlabelled);
             found != target.labels.end()) {
    const auto gone = static_cast<Column>(found - target.labels.begin());
    target.labels.erase(found);
    for (Column& code : target.codes) code = code == gone ? -1 : code > gone ? code - 1 : code;
    if (data.schema.format != "ts") make_numeric(target);  // a .ts file says itself what its labels are
  }
  const auto count = static_cast<std::size_t>(data.examples());
  std::size_t t = 0;
  while (t < count && !is_target(target, t)) ++t;
  target.present = t < count;
}

void check_beliefs(const ReadOptions& options, Dataset& data) {
  const std::string file = data.source == "-" ? "standard input" : data.source;
  const auto count = static_cast<std::size_t>(data.examples());
  if (!options.label_belief.empty() && data.beliefs.empty()) {
    const auto number = parse_number(options.label_belief);
    if (!number || !(*number >= 0 && *number <= 1)) {
      throw OptionError(
          fmt::format("label-belief = {}, but must be a column or a number in [0, 1]", options.label_belief));
    }
    data.beliefs.assign(count, std::numeric_limits<double>::quiet_NaN());
    for (std::size_t t = 0; t < count && data.target.present; ++t) {
      if (is_target(data.target, t)) data.beliefs[t] = *number;
    }
  }
  for (std::size_t t = 0; t < data.beliefs.size(); ++t) {
    double& belief = data.beliefs[t];
    const bool labelled = data.target.present && is_target(data.target, t);
    if (std::isnan(belief)) {
      belief = labelled ? 1.0 : 0.5;
    } else if (!labelled && data.target.present) {
      const Place first = data.target.first_missing;
      const Place place{data.lines.empty() ? 0 : data.lines[t], 0};
      fail_at(file, place.line == first.line ? first : place,
              "the belief is {}, but the target is empty; write the label that it speaks of, or no belief", belief);
    }
  }
}

void check_target(const ReadOptions& options, Dataset& data) {
  const Target& target = data.target;
  const std::string file = data.source == "-" ? "standard input" : data.source;
  if (!target.present) {
    if (!options.target_required) return;
    fail_at(file, {}, "no example has a target; name its column with --target or give a file with --target-file");
  }
  Index missing = 0;
  for (const double value : target.values) missing += std::isnan(value);
  for (const Column code : target.codes) missing += code < 0;
  if (missing > 0)
    data.notes.push_back(fmt::format("{} of {} have no target", missing, counted(data.examples(), "example")));
}

}  // namespace medlar
