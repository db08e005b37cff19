// The script and the style of the report page, built from web/src and made part of the library (cmake/Assets.cmake).
#pragma once

#include <string_view>

namespace medlar {

extern const std::string_view page_script, page_style;

}  // namespace medlar
