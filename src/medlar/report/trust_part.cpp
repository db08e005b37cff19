// How far the selection can be trusted, as far as `medlar stability` or the report has measured it (docs/selection.md).
#include <algorithm>
#include <nlohmann/json.hpp>

#include "medlar/report/page_data.hpp"

namespace medlar {
namespace {

constexpr std::size_t most_clusters = 200, most_members = 12;

PageJson cluster_list(const Model& model) {
  PageJson list = PageJson::array();
  const std::vector<Cluster>& all = model.clusters->list;
  for (std::size_t k = 0; k < std::min(all.size(), most_clusters); ++k) {
    PageJson members = PageJson::array();
    for (std::size_t m = 0; m < std::min(all[k].members.size(), most_members); ++m) {
      members.push_back(model.features[static_cast<std::size_t>(all[k].members[m])].name);
    }
    list.push_back({{"inclusion", all[k].inclusion},
                    {"coefficient", page_number(all[k].coefficient)},
                    {"size", all[k].members.size()},
                    {"members", members}});
  }
  return {{"correlation", model.clusters->correlation}, {"total", all.size()}, {"list", list}};
}

}  // namespace

PageJson trust_part(const Model& model) {
  PageJson part;
  if (const auto& stability = model.stability) {
    part["stability"] = {{"refits", stability->refits},
                         {"share", stability->share},
                         {"top", stability->top},
                         {"different", stability->different},
                         {"threshold", stability->threshold},
                         {"stable", stability->stable()},
                         {"false_bound", stability->false_bound ? page_number(*stability->false_bound) : PageJson()}};
  }
  if (const auto& found = model.discoveries) {
    part["discoveries"] = {{"fdr", found->fdr},
                           {"construction", word_of(found->construction)},
                           {"threshold", page_number(found->threshold)},
                           {"discovered", found->discovered()},
                           {"fewest", found->fewest()}};
    if (!found->probability.empty()) {
      part["discoveries"]["draws"] = found->draws;
      part["discoveries"]["expected"] = page_number(found->expected);
      part["discoveries"]["units"] = found->units;
    }
  }
  if (model.clusters && !model.clusters->list.empty()) part["clusters"] = cluster_list(model);
  return part;
}

}  // namespace medlar
