#include "medlar/answer/list_specs.hpp"

#include <algorithm>

#include "medlar/prepare/labels.hpp"
#include "medlar/thresholds/lists.hpp"

namespace medlar {
namespace {

constexpr Index kLengths[] = {1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24, 32, 48, 64};
constexpr double kRidgesOfClasses[] = {0.03, 0.3}, kRidgesOfNumbers[] = {1e-3, 0.03, 0.3};
constexpr double kSharesOfTargets[] = {0, 0.5, 1};  // labels of few examples say less than the scores of a fit
constexpr std::size_t kMostReferences = 5;

// Those that are marked; if none is, up to five of the fits without a ranking, evenly spaced.
std::vector<std::size_t> references_of(std::span<const TuneCandidate> candidates) {
  std::vector<std::size_t> marked, plain;
  for (std::size_t k = 0; k < candidates.size(); ++k) {
    if (candidates[k].ranking) continue;
    plain.push_back(k);
    if (candidates[k].ranks_lists) marked.push_back(k);
  }
  if (!marked.empty() || plain.size() <= kMostReferences) return marked.empty() ? plain : marked;
  std::vector<std::size_t> some;
  for (std::size_t k = 0; k < kMostReferences; ++k) {
    some.push_back(plain[k * (plain.size() - 1) / (kMostReferences - 1)]);
  }
  return some;
}

}  // namespace

std::vector<ListSpec> list_specs(const Dataset& data, const Settings& settings,
                                 std::span<const TuneCandidate> candidates) {
  const bool mapped = settings.expand == ExpansionKind::fourier || settings.expand == ExpansionKind::nystrom;
  if (settings.model != ModelKind::linear || mapped) return {};
  const bool numbers = resolve_task(data, settings) == Task::regress;
  const Index examples = data.examples(), features = data.features();
  const bool few = !numbers && are_few_for_lists(examples, features);
  std::vector<ListOrder> orders{ListOrder::size};
  if (numbers || examples >= kEnoughForElimination) orders.push_back(ListOrder::elimination);
  const auto ridges = numbers ? std::span<const double>(kRidgesOfNumbers) : std::span<const double>(kRidgesOfClasses);
  const std::size_t most = numbers ? 3 : examples >= kEnoughForElimination ? 2 : 1;
  const auto shares = std::span<const double>(kSharesOfTargets).first(most);
  std::vector<ListSpec> specs;
  for (const std::size_t reference : references_of(candidates)) {
    for (const ListOrder order : orders) {
      for (const double share : shares) {
        for (const double ridge : ridges) {
          for (const Index length : kLengths) {
            if (few && (length < std::min(kShortestListOfFew, features) || length > kLongestListOfFew)) continue;
            if (length <= features) specs.push_back({reference, order, length, ridge, share});
          }
        }
      }
    }
  }
  return specs;
}

}  // namespace medlar
