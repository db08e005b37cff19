// Values and layout of a model file: what JSON itself cannot say, and where its lines break.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace medlar {

using Json = nlohmann::ordered_json;

// A double as a JSON number. A value that is none becomes "inf", "-inf" or "nan".
Json json_number(double value);
Json json_numbers(const std::vector<double>& values);

// JSON strings are UTF-8, but names come from any file. A byte that belongs to no UTF-8 sequence is written as U+001A
// (the character SUBSTITUTE) and two hexadecimal digits; U+001A itself as U+001A "1a". unescaped() undoes it.
std::string escaped(std::string_view bytes);
std::string unescaped(std::string_view text);

// The top object and its objects have one entry per line, and so has every array of arrays or objects. An array of
// plain values is on one line, and so is an object within an array, if everything in it is plain.
std::string laid_out(const Json& value);

}  // namespace medlar
