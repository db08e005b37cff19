// The features that a ranking puts first, as data of their own, and refits of the best of them without switches. Refits
// touch only these few columns, however many the file has.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "medlar/dataset.hpp"
#include "medlar/model.hpp"
#include "medlar/observer.hpp"

namespace medlar {

// The columns of the data with the largest |coefficient| in a linear model of all of them: 64, or more if more are
// wanted.
struct Shortlist {
  Shortlist(const Dataset& data, const Model& ranking, Index wanted);

  Dataset data;                   // these columns alone
  std::vector<Index> columns;     // in the order of the file
  std::vector<double> size;       // |coefficient| of each; infinite of those that stay in
  std::vector<double> spread;     // of each column, or 1 where columns are taken as they are
  ScaleKind scale;                // of the ranking
  std::vector<std::string> kept;  // features that stay in, beside those that are counted
};

// Recursive backward elimination (Guyon, Weston, Barnhill and Vapnik 2002). The first refit has the best 64 features of
// the ranking. Each further one drops those with the smallest |coefficient| in the refit before: 32, 24, 20, 16, 14, 12
// and then one by one. A number between two steps is reached from the step above it, and a number above 64 from the
// ranking itself. So the k features that are left do not depend on what other numbers are asked for.
//
// Sets of at most 16 features are improved by exchanges (as in splicing: Zhu, Wen, Zhu, Zhang and Wang 2020). The
// feature with the smallest |coefficient| is exchanged for one of the two in the shortlist with the largest |V_i|, as
// long as F falls.
class Elimination {
 public:
  // p0 and groups of the settings are replaced.
  Elimination(const Shortlist& shortlist, const Settings& settings);

  // Continues down to `kept` features, which must not be more than before. The model has these features only.
  Model down_to(Index kept, Observer* observer);

  // The features of the last model, as columns of the file and as places in the shortlist.
  std::vector<Index> columns() const;
  const std::vector<Index>& places() const { return last_; }

 private:
  Model refit(Index kept, Observer* observer);
  Model exchanged(Model model, Observer* observer);
  std::vector<double> asked_for(const Model& model) const;  // |V_i| of the shortlist; 0 for features in the model

  const Shortlist& shortlist_;
  Settings settings_;
  std::vector<Index> places_;  // after the last step
  std::vector<double> size_;   // their |coefficient| there, at first in the ranking
  std::vector<Index> last_;    // of the last model, which may lie between two steps
  bool begun_ = false;
};

// These columns of the data.
Dataset narrowed(const Dataset& data, std::span<const Index> columns);

// The model of some columns as one of all the features of `whole`: the others have inclusion and coefficient 0.
Model widened(const Model& narrow, std::span<const Index> columns, const Model& whole);

}  // namespace medlar
