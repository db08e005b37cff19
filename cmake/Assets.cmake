# The report page's script and style, checked in under web/dist, as strings of the library. Building them anew
# (tools/build_web) needs npm; building Medlar does not.
set(page_asset ${PROJECT_BINARY_DIR}/generated/page_asset.cpp)
foreach(name report.js report.css)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/web/dist/${name})
endforeach()
file(READ ${PROJECT_SOURCE_DIR}/web/dist/report.js page_script)
file(READ ${PROJECT_SOURCE_DIR}/web/dist/report.css page_style)
file(CONFIGURE OUTPUT ${page_asset} @ONLY CONTENT [==[
// Made by cmake/Assets.cmake from web/dist.
#include "medlar/report/page_asset.hpp"

namespace medlar {

const std::string_view page_script = R"medlar(@page_script@)medlar";
const std::string_view page_style = R"medlar(@page_style@)medlar";

}  // namespace medlar
]==])
