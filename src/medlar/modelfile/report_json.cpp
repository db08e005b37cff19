#include "medlar/modelfile/report_json.hpp"

#include <fmt/format.h>

#include "medlar/error.hpp"

namespace medlar {

Json report_json(const Report& report) {
  Json trace = Json::array();
  for (const TracePoint& point : report.trace) {
    trace.push_back({{"iteration", point.iteration},
                     {"passes", point.passes},
                     {"seconds", json_number(point.seconds)},
                     {"objective", json_number(point.objective)},
                     {"primal", json_number(point.primal)},
                     {"relative_gap", json_number(point.relative_gap)},
                     {"stage", escaped(point.stage)}});
  }
  return {{"status", to_string(report.status)},
          {"message", escaped(report.message)},
          {"solver", escaped(report.solver)},
          {"why", escaped(report.why)},
          {"objective", json_number(report.objective)},
          {"primal", json_number(report.primal)},
          {"gap", json_number(report.gap)},
          {"relative_gap", json_number(report.relative_gap)},
          {"tolerance", json_number(report.tolerance)},
          {"iterations", report.iterations},
          {"passes", report.passes},
          {"seconds", json_number(report.seconds)},
          {"trace", std::move(trace)}};
}

Report report_from(const JsonField& field) {
  Report report;
  try {
    report.status = status_from(field.at("status").text());
  } catch (const OptionError& error) {
    field.at("status").refuse(fmt::format("cannot be used: {}", error.what()));
  }
  report.message = field.at("message").text();
  report.solver = field.at("solver").text();
  report.why = field.at("why").text();
  report.objective = field.at("objective").number();
  report.primal = field.at("primal").number();
  report.gap = field.at("gap").number();
  report.relative_gap = field.at("relative_gap").number();
  report.tolerance = field.at("tolerance").number();
  report.iterations = field.at("iterations").count();
  report.passes = field.at("passes").count();
  report.seconds = field.at("seconds").number();
  for (const JsonField& point : field.at("trace").items()) {
    report.trace.push_back({point.at("iteration").count(), point.at("passes").count(), point.at("seconds").number(),
                            point.at("objective").number(), point.at("primal").number(),
                            point.at("relative_gap").number(), point.at("stage").text()});
  }
  return report;
}

}  // namespace medlar
