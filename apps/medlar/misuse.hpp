// Explains a command line that cannot be read, and says what to write instead.
#pragma once

#include "command.hpp"

namespace medlar::cli {

std::string misuse_sentence(const CLI::App& program, const CLI::ParseError& error);

}  // namespace medlar::cli
