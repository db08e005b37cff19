// The names of how a solve ended.
#include "medlar/report.hpp"

#include <fmt/format.h>

#include <array>

#include "medlar/error.hpp"

namespace medlar {
namespace {

struct StatusName {
  Status status;
  std::string_view name;
};
constexpr std::array status_names{
    StatusName{Status::converged, "converged"},
    StatusName{Status::almost, "almost"},
    StatusName{Status::limit, "limit"},
    StatusName{Status::stalled, "stalled"},
    StatusName{Status::interrupted, "interrupted"},
};

}  // namespace

std::string to_string(Status status) {
  for (const auto& each : status_names) {
    if (each.status == status) return std::string(each.name);
  }
  throw OptionError(fmt::format("status {} is unknown", static_cast<int>(status)));
}

Status status_from(const std::string& name) {
  std::string known;
  for (const auto& each : status_names) {
    if (each.name == name) return each.status;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", each.name);
  }
  throw OptionError(fmt::format("status '{}' is unknown; known are {}", name, known));
}

}  // namespace medlar
