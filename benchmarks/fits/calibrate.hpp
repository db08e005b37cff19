// The tolerance at which a peer is as accurate as our fits, and how well that is known.
#pragma once

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "bounds.hpp"
#include "contestant.hpp"

namespace medlar::bench {

// proved: a lower bound certifies the accuracy. confirmed: none does, but the next tolerance, a decade smaller, ended
// by itself at nearly the same value. unknown: neither. inaccurate: a precise bound shows that it is not reached.
enum class Accuracy { proved, confirmed, unknown, inaccurate };
std::string to_string(Accuracy accuracy);

// A contestant at the tolerance chosen for it.
struct Entry {
  std::string id;  // as the spec calls it
  std::unique_ptr<Contestant> who;
  double tolerance = 0;
  double first_seconds = HUGE_VAL;  // of the fit that the tolerance was chosen by
  double gap = HUGE_VAL;            // proved upper bound of what that fit lacks, relative
  Accuracy accuracy = Accuracy::unknown;
  std::string why_not;  // what ended the search for a better one
  std::vector<Outcome> visits;
  std::vector<std::string> roles;  // of one solver at several bias values: "kindest", "B = 1"

  bool usable() const { return accuracy == Accuracy::proved || accuracy == Accuracy::confirmed; }
};

constexpr const char* kExhausted = "its limit of iterations";

// Every doubt is the peer's to gain from: where the accuracy is unknown, the loosest tolerance is taken whose value no
// other fit has bettered by more than `accuracy`.
void calibrate(Entry& entry, const ContestSet& set, Bounds& bounds, double accuracy, double limit_seconds);

}  // namespace medlar::bench
