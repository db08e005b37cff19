// From the user's words to types, once per fit: the potential and the partition that a solver then knows by concept.
// A new prior over coefficients is one more alternative here and one more line in priors.cpp; margin priors have a
// table of their own (priors/margins/table.hpp).
#pragma once

#include <span>
#include <string>
#include <variant>
#include <vector>

#include "medlar/priors/coefficients/gaussian.hpp"
#include "medlar/priors/coefficients/groups.hpp"
#include "medlar/priors/coefficients/switches.hpp"
#include "medlar/priors/margins/margin.hpp"
#include "medlar/priors/margins/table.hpp"
#include "medlar/problem/problem.hpp"
#include "medlar/problem/run.hpp"
#include "medlar/settings.hpp"

namespace medlar {

using ParameterPrior = std::variant<GaussianPartition, SwitchPartition, GroupPartition>;

// Settings must be resolved: no "auto", c given, and epsilon to regress. A margin prior that would teach nothing is
// refused.
Margin margin_prior(const Settings& settings);

// What makes the margin prior of these settings: of auto the usual one. What stands beside a program's own means
// nothing to it, and is as for the usual one.
const MarginMaker& maker_of(const Settings& settings);

// The margin that the prior of a linear or kernel model asks for.
double location_of(const Settings& settings);

// margin = own where a program has brought one, which must suit the task; refused where the word stands without it, or
// it beside another word.
void resolve_own_margin(Settings& settings);

// The same at another location and without that refusal, for between classes of a generative model even a prior whose
// mean margin is not above 0 teaches something.
Margin margin_at(const Settings& settings, double location);

// Which features share a switch, numbered from 0; -1 for a feature that has its own. And those that stay in, whose
// switches are on for certain.
struct Grouping {
  std::vector<Index> group_of;
  std::vector<std::string> names;
  std::vector<Index> kept;
};

// Of features in units of their own: r_i times a feature has a coefficient of mean m_i / r_i. Without units r = 1.
ParameterPrior parameter_prior(const Settings& settings, std::span<const std::string> names, const Grouping& grouping,
                               std::span<const double> units = {});

BiasPrior bias_prior(const Settings& settings);

Limits limits_of(const Settings& settings);

}  // namespace medlar
