// The table of a cross-validation, for the heat map of a tuned model.
#include <nlohmann/json.hpp>

#include "medlar/report/page_data.hpp"

namespace medlar {

PageJson tuning_part(const Tuning& tuning) {
  const auto if_given = [](const auto& value) { return value ? PageJson(*value) : PageJson(nullptr); };
  PageJson candidates = PageJson::array();
  for (const TuneScore& score : tuning.scores) {
    candidates.push_back(
        {{"p0", score.candidate.p0},
         {"c", if_given(score.candidate.c)},
         {"prior_variance", if_given(score.candidate.prior_variance)},
         {"kept", score.candidate.ranking ? PageJson(score.candidate.ranking->kept) : PageJson(nullptr)},
         {"mean", page_number(score.mean)},
         {"standard_error", page_number(score.standard_error)},
         {"selected", score.selected},
         {"converged", score.converged},
         {"dropped", score.dropped},
         {"competes", score.candidate.competes},
         {"measured", score.folds.size()}});
    if (score.candidate.margin) candidates.back()["margin"] = word_of(*score.candidate.margin);
    if (const auto& ranking = score.candidate.ranking) {
      candidates.back()["ranking"] = {{"p0", ranking->p0}, {"prior_variance", if_given(ranking->prior_variance)}};
    }
  }
  return {{"metric", tuning.metric}, {"higher_is_better", tuning.higher_is_better},
          {"folds", tuning.folds},   {"repeats", tuning.repeats},
          {"best", tuning.best},     {"chosen", tuning.chosen},
          {"candidates", candidates}};
}

}  // namespace medlar
