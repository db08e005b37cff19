// Candidates that are fitted one after the other in a fold because they share work: a warm path over p0, or the ranking
// of features.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "medlar/answer/left_out.hpp"
#include "medlar/dataset.hpp"
#include "medlar/measure.hpp"
#include "medlar/observer.hpp"
#include "medlar/tuning.hpp"

namespace medlar {

using Lane = std::vector<std::size_t>;  // indices of candidates, all but p0 alike, or all but what a refit varies

std::vector<Lane> lanes_of(std::span<const TuneCandidate> candidates);

Settings with_candidate(Settings settings, const TuneCandidate& candidate);

// The model by whose coefficients a relaxed candidate ranks features.
Model ranking_model(const Dataset& data, const Settings& settings, const TuneCandidate& candidate, Observer* observer);

// A candidate in a fold.
struct Cell {
  bool done = false, converged = false;
  double value = 0, selected = 0;
  ScoredRows left_out = {};
  std::vector<std::vector<float>> lists = {};  // the scores of the lists that it is the reference of
};

// One fold: what is fitted, what is left out, and how each candidate fares there.
class Part {
 public:
  Part(Dataset fitted, Dataset left_out) : fitted_(std::move(fitted)), left_out_(std::move(left_out)) {}

  // What is kept of each fit; it must outlive the part.
  void keep(const LeftOutScores& kept);

  // Sets the cells of a lane; those after an interruption stay undone. Returns the last measurement.
  Measured run(const Lane& lane, std::span<const TuneCandidate> candidates, const Settings& settings,
               const Measure& measure, Observer* observer, std::vector<Cell>& cells) const;

 private:
  // Runs relaxed candidates. `note` gets each model with the examples left out, and returns whether to go on.
  void eliminate(const Lane& lane, std::span<const TuneCandidate> candidates, const Settings& settings,
                 const std::function<bool(std::size_t, const Model&, const Dataset&)>& note, Observer* observer) const;

  void keep_scores(std::size_t k, const Model& model, const Dataset& left_out, Cell& cell) const;

  Dataset fitted_, left_out_;
  const LeftOutScores* kept_ = nullptr;
  std::vector<Index> judged_;  // places in left_out_
};

}  // namespace medlar
