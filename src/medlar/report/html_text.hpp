// Small pieces of HTML: escaped text, and numbers as people read them.
#pragma once

#include <string>
#include <string_view>

namespace medlar {

// Text as the content or an attribute of an element. Bytes that are no UTF-8 are left; browsers show a replacement.
std::string html_escaped(std::string_view text);

// 4 significant digits.
std::string short_number(double value);

}  // namespace medlar
