// Runs fits and writes a line for each.
#pragma once

#include <functional>
#include <ostream>
#include <regex>
#include <set>
#include <string>
#include <type_traits>

#include "entry.hpp"
#include "medlar/settings.hpp"

namespace medlar::bench {

// Options as words, "p0=1 margin=hinge", for one thread.
Settings settings_from(const std::string& words);

// A word as the library takes it: of a type, or as text in libraries before `words.hpp`, which are recorded too.
template <class Word>
Word word_as(const char* text) {
  if constexpr (std::is_enum_v<Word>) {
    return *read_word<Word>(text);
  } else {
    return Word(text);
  }
}

// Says that feature_group holds the groups.
template <class Groups>
void take_named_groups(Groups& groups) {
  if constexpr (std::is_enum_v<Groups>) {
    groups = Groups::file;
  } else {
    groups = "file";
  }
}

class Recorder {
 public:
  Recorder(std::ostream& out, const std::string& only) : out_(out), only_(only) {}

  // One fit; its name is that of the data and the words.
  void fit(const std::string& data_name, const Dataset& data, const std::string& words);
  void fit(const std::string& name, const Dataset& data, const Settings& settings);

  // What `make` says, or its refusal. Names are unique: a second one of the same name is a logic_error.
  void lines(const std::string& name, const std::function<std::vector<Line>()>& make);

  bool wants(const std::string& name) const { return std::regex_search(name, only_); }
  Index written() const { return written_; }

 private:
  void write(const Line& line);

  std::ostream& out_;
  std::regex only_;
  std::set<std::string> names_;
  Index written_ = 0;
};

// The fits of the record, kind by kind.
void record_thousand(Recorder& record);  // tests/reference/random_problem.hpp
void record_sets(Recorder& record);      // those of benchmarks/convergence that the tree has
void record_binary(Recorder& record);
void record_regression(Recorder& record);
void record_large(Recorder& record);
void record_classes(Recorder& record);
void record_kernels(Recorder& record);
void record_low_rank(Recorder& record);
void record_generative(Recorder& record);
void record_anomalies(Recorder& record);
void record_latent_labels(Recorder& record);
void record_latent_signals(Recorder& record);
void record_paths(Recorder& record);
void record_starts(Recorder& record);  // warm, relaxed, tuned, repeated

}  // namespace medlar::bench
