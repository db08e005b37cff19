// Everything that is printed. Results go to standard output, messages and errors to standard error.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "command.hpp"

namespace medlar::cli {

// Writes to standard output. A reader that is gone is no error; a full disk is.
void print(std::string_view text);
// null if a number is not finite.
Json json_number(double value);
void print_json(const Json& object);

// Refuses a file that cannot be written, before the work is done.
void check_writable(const std::string& path, const std::vector<std::string>& inputs = {});
// The same for a model, which must not be mixed with other output.
void check_model_writable(const std::string& path, const std::vector<std::string>& inputs = {});

// A sentence on standard error, unless --quiet.
void talk(const Globals& globals, std::string_view sentence);

// Text of a file, made safe for a terminal: control characters become '?'.
std::string shown(std::string_view text);

// 6 significant digits, as people read them.
std::string brief(double value);

// Characters rather than bytes of UTF-8.
std::size_t width(std::string_view text);

// At most 60 characters of it, the last an ellipsis where more are left out.
std::string clipped(std::string text);

// The same for each name. Where two would look alike, their ends are shown too, and if necessary all of them.
std::vector<std::string> clipped_apart(const std::vector<std::string>& names);

// Columns aligned; the first to the left, the others to the right.
std::string table(const std::vector<std::vector<std::string>>& rows);

}  // namespace medlar::cli
