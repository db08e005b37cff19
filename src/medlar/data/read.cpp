// read_dataset: opens, finds the format, reads, and settles the target.
#include <new>
#include <stdexcept>

#include "medlar/data/bytes/format.hpp"
#include "medlar/data/readers.hpp"
#include "medlar/data/target.hpp"
#include "medlar/data/text.hpp"

namespace medlar {
namespace {

void check_options(const ReadOptions& options) {
  const auto check = [](std::string_view name, const std::string& value,
                        std::initializer_list<std::string_view> allowed) {
    std::string list;
    for (const std::string_view word : allowed) {
      if (value == word) return;
      list += (list.empty() ? "" : ", ") + std::string(word);
    }
    throw OptionError(fmt::format("{} = {}, but must be one of {}", name, value, list));
  };
  check("missing", options.missing, {"auto", "refuse", "mean", "keep"});
  check("header", options.header, {"auto", "yes", "no"});
  if (!options.format.empty()) check("format", options.format, {"csv", "tsv", "svmlight", "npy", "ts"});
}

// Formats of one kind may stand for each other: the model does not see which it was.
std::string kind_of_file(const std::string& format) {
  return format == "svmlight" || format == "ts" ? format : "table";
}

std::string choose_format(Input& input, const std::string& path, const ReadOptions& options) {
  std::string format = options.format.empty() ? kind_by_name(path).format : options.format;
  const bool by_content = format.empty();
  const std::string_view start = input.peek(std::size_t{1} << 16);
  if (start.empty()) fail_at(input.name(), {}, "the file is empty");
  if (format.empty()) format = format_by_content(start);
  if (by_content && options.schema && kind_of_file(options.schema->format) != "table") format = options.schema->format;
  if (options.schema && kind_of_file(format) != kind_of_file(options.schema->format)) {
    fail_at(input.name(), {},
            "it is read as {}, but the model was trained on {}; bring it into that form with medlar convert", format,
            options.schema->format);
  }
  return format;
}

// Options that only text in columns knows.
void refuse_column_options(const ReadOptions& settled) {
  if (settled.format == "csv" || settled.format == "tsv") return;
  const char* option = settled.header != "auto" ? "header" : settled.delimiter != "auto" ? "delimiter" : nullptr;
  if (option == nullptr) return;
  throw OptionError(fmt::format("{} = {}, but {} data has none; leave it out, or set --format csv", option,
                                settled.header != "auto" ? settled.header : settled.delimiter, settled.format));
}

Dataset read(const std::string& path, const ReadOptions& options) {
  check_options(options);
  Input input(path);
  ReadOptions settled = options;
  settled.format = choose_format(input, path, options);
  refuse_column_options(settled);
  Dataset data = settled.format == "svmlight" ? read_svmlight(input, settled)
                 : settled.format == "npy"    ? read_npy(input, settled)
                 : settled.format == "ts"     ? read_ts(input, settled)
                                              : read_csv(input, settled);
  data.source = path;
  read_target_file(settled, data);
  forget_unlabelled(settled, data);
  check_target(settled, data);
  check_beliefs(settled, data);
  if (options.schema) data.schema = *options.schema;
  return data;
}

}  // namespace

Dataset read_dataset(const std::string& path, const ReadOptions& options) {
  const std::string file = path == "-" ? "standard input" : path;
  try {
    return read(path, options);
  } catch (const std::bad_alloc&) {
    fail_at(file, {}, "there is not enough memory to read it");
  } catch (const std::length_error&) {
    fail_at(file, {}, "there is not enough memory to read it");
  }
}

}  // namespace medlar
