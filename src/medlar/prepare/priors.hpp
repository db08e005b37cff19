// From the user's words to types, once per fit: the potential and the partition that a solver then knows by concept.
// A new prior is one more alternative here and one more line in priors.cpp.
#pragma once

#include <span>
#include <string>
#include <variant>
#include <vector>

#include "medlar/priors/coefficients/gaussian.hpp"
#include "medlar/priors/coefficients/groups.hpp"
#include "medlar/priors/coefficients/switches.hpp"
#include "medlar/priors/margins/exponential.hpp"
#include "medlar/priors/margins/gaussian.hpp"
#include "medlar/priors/margins/hinge.hpp"
#include "medlar/priors/margins/laplace.hpp"
#include "medlar/priors/margins/svr.hpp"
#include "medlar/priors/margins/tube.hpp"
#include "medlar/problem/problem.hpp"
#include "medlar/problem/run.hpp"
#include "medlar/settings.hpp"

namespace medlar {

using MarginPrior = std::variant<ExponentialMargin, LaplaceMargin, GaussianMargin, HingeMargin, TubeMargin, SvrMargin>;
using ParameterPrior = std::variant<GaussianPartition, SwitchPartition, GroupPartition>;

// Settings must be resolved: no "auto", c and epsilon given.
MarginPrior margin_prior(const Settings& settings);

// Which features share a switch, numbered from 0; -1 for a feature that has its own.
struct Grouping {
  std::vector<Index> group_of;
  std::vector<std::string> names;
};

ParameterPrior parameter_prior(const Settings& settings, std::span<const std::string> names, const Grouping& grouping);

BiasPrior bias_prior(const Settings& settings);

Limits limits_of(const Settings& settings);

}  // namespace medlar
