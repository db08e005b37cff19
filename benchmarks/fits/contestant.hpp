// Whoever fits: Medlar, a library in this process, or a program in another language.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "outcome.hpp"
#include "peer_problem.hpp"

namespace medlar::bench {

class Contestant {
 public:
  virtual ~Contestant() = default;
  // One measured visit at a tolerance in the contestant's own meaning.
  virtual Outcome run(double tolerance, double limit_seconds) = 0;

  std::string name;
  std::vector<double> tolerances;      // to choose from, the loosest first
  std::optional<PeerProblem> problem;  // what a peer solves; our fits certify themselves
};

// Medlar with these settings (option: text, as on the command line); "path": "50" is a path of so many values of p0.
std::unique_ptr<Contestant> medlar_contestant(const ContestSet& set, const nlohmann::json& settings);

// Our certified fit of a peer's problem (hinge, squared hinge or tube); not timed.
Outcome medlar_bound(const ContestSet& set, const PeerProblem& problem, double limit_seconds);

// LIBLINEAR with solver -s, cost C and bias value B; the rows that it reads are made once per set.
struct LiblinearRows;
std::shared_ptr<LiblinearRows> liblinear_rows(const ContestSet& set);
std::unique_ptr<Contestant> liblinear_contestant(std::shared_ptr<LiblinearRows> rows, int solver, double c,
                                                 double bias_value, double epsilon);

// LIBSVM, linear kernel, C-SVC with a free bias.
std::unique_ptr<Contestant> libsvm_contestant(const ContestSet& set, double c);

// A program that loads an exported set, says "ready", and answers "fit C TOLERANCE" with "done SECONDS PASSES" (and
// "exhausted" where its own limit of iterations ended it), its weights and bias in `folder`/weights.f64, or with
// "failed REASON".
std::unique_ptr<Contestant> program_contestant(const ContestSet& set, const nlohmann::json& spec,
                                               const std::string& folder);

}  // namespace medlar::bench
