// What came of one fit, and how it is measured: in a process of its own, with a limit in time.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace medlar::bench {

struct Outcome {
  std::string end = "ok";  // ok, time limit, or what went wrong
  double seconds = 0;      // the least of the fits of a visit
  double peak_mb = 0;      // memory above that of the loaded data
  long passes = 0;         // over the data, or iterations where a peer counts those; 0: not told
  bool exhausted = false;  // a peer's own limit of iterations was reached: a smaller tolerance changes nothing
  double bias = 0;
  std::vector<double> w;
  // Our fits bring their own certificate.
  double objective = 0, relative_gap = 0;
  std::string status, solver;

  bool ok() const { return end == "ok"; }
};

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Outcome, end, seconds, peak_mb, passes, exhausted, bias, w, objective, relative_gap,
                                   status, solver)

// Forks, and runs `fit` there (again while its fits take less than a tenth of a second together; the least counts).
// The child finds the data loaded and the memory that it takes beyond that is its own. It is ended at the limit.
Outcome visit(const std::function<Outcome()>& fit, double limit_seconds);

// Seconds that `work` takes.
double seconds_of(const std::function<void()>& work);

}  // namespace medlar::bench
