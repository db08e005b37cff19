// One self-contained page about a model: a frame, the numbers as JSON, and the script that draws them.
#include "medlar/html.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "medlar/report/html_text.hpp"
#include "medlar/report/page_asset.hpp"
#include "medlar/report/page_data.hpp"

namespace medlar {
namespace {

// JSON inside <script> ends at the first "</script", so no '<' is left in it. Bytes that are not UTF-8 are shown as
// such.
std::string json_in_script(const PageJson& data) {
  std::string safe;
  for (const char each : data.dump(-1, ' ', false, PageJson::error_handler_t::replace)) {
    if (each == '<') {
      safe += "\\u003c";
    } else {
      safe += each;
    }
  }
  return safe;
}

// Nothing may be fetched from anywhere: the browser itself refuses.
constexpr std::string_view policy =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:";

}  // namespace

std::string html_report(const Model& model, const Dataset* data, Index top, const Path* path) {
  PageJson page = model_part(model, top);
  if (path != nullptr) page["path"] = path_part(*path);
  if (data != nullptr) page["data"] = data_part(model, *data);
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>Medlar report</title>\n<style>\n{}</style>\n</head>\n<body>\n"
      "<noscript><p>{}</p><p>{}</p><p>The tables and pictures of this page need JavaScript.</p></noscript>\n"
      "<script id=\"medlar-data\" type=\"application/json\">{}</script>\n<script>\n{}</script>\n</body>\n</html>\n",
      policy, page_style, html_escaped(what_was_fitted(model)), html_escaped(model.report.message),
      json_in_script(page), page_script);
}

}  // namespace medlar
