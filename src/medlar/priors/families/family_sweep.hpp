// What ascent between classes knows of any product of families while it sweeps (docs/theory.md#generative): chi_k + V_k
// of every member and class, with its K' and K'',
//
//   f_k = sum over members of u . K',   curvature of class k = sum over members of u . K'' u
//
// The interface is that of ClassSweep in linalg. CountSweep does the same for one multinomial over many columns, of
// which an example has few.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "medlar/linalg/systems/class_sweep.hpp"
#include "medlar/priors/families/class_partition.hpp"

namespace medlar {

class FamilySweep {
 public:
  using Scores = ClassSweep::Scores;
  using Look = ClassSweep::Look;

  using Row = std::function<void(Index t, std::span<double> u)>;

  // `partition` has no switches. `row` writes the statistics of an example.
  FamilySweep(const ClassPartition& partition, Row row);

  void start(std::span<const double> v);

  void look(Index t, Look& out);

  // The part of a change that leaves every quantity of the domain at least half of its value.
  double largest_part(Index t, const Scores& change);
  // Adds change[k] to what class k receives of example t. `f` gets the new scores.
  void move(Index t, const Scores& change, Scores& f);

 private:
  void measure(std::size_t member, std::size_t k);        // recomputes K' and K''
  void scores(Scores& f) const;                           // of the current row
  std::span<const double> own(std::size_t member) const;  // the member's statistics in the current row
  std::span<double> at(std::vector<double>& all, std::size_t member, std::size_t k) const;
  std::span<double> bend(std::size_t member, std::size_t k);

  const ClassPartition& partition_;
  Row read_;
  std::size_t classes_, statistics_;
  std::vector<double> row_;                // u of the current example
  std::vector<double> chi_, mean_;         // class by class
  std::vector<std::vector<double>> bend_;  // numbers of K'', by class and member
};

}  // namespace medlar
