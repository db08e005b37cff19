// Flags that say how data is read and what is fitted.
#include "input.hpp"

#include "checks.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace medlar::cli {

std::vector<std::string> entries_of(std::string_view option, const std::string& list) {
  std::vector<std::string> entries;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    entries.push_back(list.substr(begin, end - begin));
    if (entries.back().empty()) {
      throw OptionError(
          fmt::format("{} = '{}' has an empty entry; write values with one comma between them", option, list));
    }
    begin = end + 1;
  }
  return entries;
}

namespace {

// Like entries_of(), but a comma between double quotes belongs to a name.
std::vector<std::string> names_of(std::string_view option, const std::string& list) {
  std::string plain;
  std::vector<std::string> names;
  bool quoted = false;
  for (const char each : list) {
    if (each == '"') quoted = !quoted;
    plain += each == ',' && quoted ? '\x1f' : each;
  }
  for (std::string& name : entries_of(option, plain)) {
    if (name.size() > 1 && name.front() == '"' && name.back() == '"') name = name.substr(1, name.size() - 2);
    std::replace(name.begin(), name.end(), '\x1f', ',');
    names.push_back(std::move(name));
  }
  return names;
}

}  // namespace

void add_use_flag(CLI::App& command, std::string& use) {
  command
      .add_option("--use", use,
                  "predictor, or list: the short list of features that tune found, with coefficients of its own "
                  "[default: predictor]")
      ->type_name("WORD")
      ->check(one_of({"predictor", "list"}));
}

Model load_used(const std::string& path, const std::string& use) {
  Model model = load_model(path);
  return use == "list" ? list_model(model) : model;
}

void add_replay_flags(CLI::App& command, ReadOptions& options) {
  const std::string group = "Reading";
  command
      .add_option("--format", options.format,
                  "format when the name of DATA does not tell (as for -): csv, tsv, svmlight, npy, ts")
      ->type_name("WORD")
      ->group(group);
  command.add_option("--target-file", options.target_file, "one target per line, for data that holds features only")
      ->type_name("FILE")
      ->group(group);
  command
      .add_option("--header", options.header, "whether the first line names the columns: auto, yes, no [default: auto]")
      ->type_name("WORD")
      ->group(group);
  command.add_option("--delimiter", options.delimiter, "the character between columns [default: auto]")
      ->type_name("CHAR")
      ->group(group);
}

void add_reading_flags(CLI::App& command, ReadOptions& options) {
  const std::string group = "Reading";
  command
      .add_option("--target", options.target,
                  "column to predict, by name, or by 1-based number in a file without names")
      ->type_name("NAME")
      ->check([](const std::string& name) { return name.empty() ? "'' is no name of a column" : ""; }, "")
      ->group(group);
  const auto leave_out = [&options](const std::vector<std::string>& lists) {
    for (const std::string& list : lists) {
      for (std::string& name : names_of("ignore", list)) options.ignore.push_back(std::move(name));
    }
  };
  command
      .add_option_function<std::vector<std::string>>("--ignore", leave_out,
                                                     "columns to leave out, separated by commas; \"a, b\" is one name")
      ->type_name("NAME,...")
      ->allow_extra_args(false)
      ->group(group);
  command.add_option("--weights", options.weights, "column that holds the weight of each example")
      ->type_name("NAME")
      ->group(group);
  command
      .add_option("--label-belief", options.label_belief,
                  "column that holds the probability that each label is right, or one probability for all")
      ->type_name("NAME")
      ->group(group);
  command
      .add_option("--sequence-id", options.sequence_id,
                  "csv with one line per sequence and time: column that tells the sequences apart")
      ->type_name("NAME")
      ->group(group);
  command.add_option("--time", options.time, "column of times within a sequence [default: the order of the lines]")
      ->type_name("NAME")
      ->group(group);
  command.add_option("--unlabelled", options.unlabelled, "a target that stands for no label, such as 0 or ?")
      ->type_name("TEXT")
      ->group(group);
  command
      .add_option(
          "--missing", options.missing,
          "what to do with missing values: refuse, mean, or keep [default: keep for generative models, which do "
          "without them, else refuse]")
      ->type_name("WORD")
      ->group(group);
  add_replay_flags(command, options);
}

void add_setting_flags(CLI::App& command, Settings& settings) {
  for (const Option& option : options()) {
    if (option.name == "threads" || option.name == "seed") continue;
    const auto set = [&settings, &option](const std::string& text) { option.set(settings, text); };
    const std::string group = option.chapter == "model"        ? "Model"
                              : option.chapter == "generative" ? "Generative models"
                              : option.chapter == "latent"     ? "Latent variables"
                              : option.chapter == "data"       ? "Preparation"
                                                               : "Solver";
    const bool file = option.values == "file";
    const std::string takes = file ? "" : fmt::format(": {}", option.values);
    command
        .add_option_function<std::string>(fmt::format("--{}", option.name), set,
                                          fmt::format("{}{} [default: {}]", option.meaning, takes, option.fallback))
        ->type_name(file             ? "FILE"
                    : option.numeric ? "NUMBER"
                                     : "WORD")
        ->group(group);
  }
}

void refuse_idle_flags(const CLI::App& command, const Settings& settings) {
  const bool mapped = settings.expand == ExpansionKind::fourier || settings.expand == ExpansionKind::nystrom;
  if (settings.model == ModelKind::linear && !mapped && command.count("--kernel") > 0) {
    throw OptionError(fmt::format("kernel = {}, but model = linear has none; add --model kernel, or --expand nystrom:D",
                                  word_of(settings.kernel)));
  }
  if (settings.model == ModelKind::kernel && command.count("--p0") > 0 && settings.p0 != 1) {
    throw OptionError(
        fmt::format("p0 = {}, but a kernel model selects no features; use --p0 1, or --model linear with "
                    "--expand fourier:D or nystrom:D to select among basis functions",
                    settings.p0));
  }
}

void apply_globals(const Globals& globals, Settings& settings) {
  if (!globals.threads.empty()) set_option(settings, "threads", globals.threads);
  if (!globals.seed.empty()) set_option(settings, "seed", globals.seed);
}

void apply_globals(const Globals& globals, ReadOptions& options) {
  Settings settings;
  apply_globals(globals, settings);
  options.threads = settings.threads;
}

std::vector<std::string> files_read(const std::string& data, const ReadOptions& reading, const Settings& settings) {
  std::vector<std::string> files{data,
                                 reading.target_file,
                                 settings.feature_p0.source,
                                 settings.feature_prior_variance.source,
                                 settings.prior_mean.source,
                                 settings.feature_group.source,
                                 settings.latent.argument,
                                 settings.state_path.argument};
  std::erase_if(files, [](const std::string& file) { return file.empty(); });
  return files;
}

Dataset read_to_fit(const std::string& path, ReadOptions options, const Settings& settings) {
  options.threads = settings.threads;
  options.precision = settings.precision;
  options.may_miss = settings.model == ModelKind::generative;  // --expand refuses gaps by its own name
  const auto add_names = [&](const auto& given) {
    for (const auto& [name, value] : given.entries) options.named.push_back(name);
  };
  add_names(settings.feature_p0);
  add_names(settings.feature_prior_variance);
  add_names(settings.prior_mean);
  options.named.insert(options.named.end(), settings.keep.begin(), settings.keep.end());
  add_names(settings.feature_group);
  return read_dataset(path, options);
}

Dataset read_for(const Globals& globals, const Model& model, const std::string& path, ReadOptions options) {
  apply_globals(globals, options);
  options.schema = &model.schema;
  Dataset data = read_dataset(path, options);
  check_values(model, data);
  return data;
}

}  // namespace medlar::cli
