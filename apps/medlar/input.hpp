// Flags that say how data is read and what is fitted; the latter are made from the library's table of options.
#pragma once

#include "command.hpp"

namespace medlar::cli {

// "0.1,1" -> {"0.1", "1"}. An empty entry is refused, because it is a mistake.
std::vector<std::string> entries_of(std::string_view option, const std::string& list);

// --target, --ignore, --weights, ... of a command that decides how a file is read.
void add_reading_flags(CLI::App& command, ReadOptions& options);

// --use: the predictor of a model, or its list of features.
void add_use_flag(CLI::App& command, std::string& use);
// The model of a file, as --use asks for it.
Model load_used(const std::string& path, const std::string& use);

// --format, --delimiter, --header, --target-file of a command that replays a model's schema.
void add_replay_flags(CLI::App& command, ReadOptions& options);

// One flag per row of options(), except --threads and --seed, which every command has.
void add_setting_flags(CLI::App& command, Settings& settings);

// Refuses flags that have no effect, even if their value is the default. Only the command line knows that they were
// given.
void refuse_idle_flags(const CLI::App& command, const Settings& settings);
void apply_globals(const Globals& globals, Settings& settings);
void apply_globals(const Globals& globals, ReadOptions& options);

// All files that a fit reads; none of them may be overwritten.
std::vector<std::string> files_read(const std::string& data, const ReadOptions& reading, const Settings& settings);

// Reads data to fit with these settings.
Dataset read_to_fit(const std::string& path, ReadOptions options, const Settings& settings);

// Reads data as the model's training data was read.
Dataset read_for(const Globals& globals, const Model& model, const std::string& path, ReadOptions options);

}  // namespace medlar::cli
