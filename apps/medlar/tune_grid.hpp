// What tune tries: the usual candidates, or what the grids of the command line list.
#pragma once

#include "command.hpp"

namespace medlar::cli {

struct TuneGrid {
  // As written; empty where the option was not given.
  std::vector<std::string> p0, c, prior_variance, epsilon, kept;
  std::optional<bool> relax;
};

void add_grid_flags(CLI::App& command, TuneGrid& grid);

// Reads and checks every entry, before the data is read.
void check_grid(const TuneGrid& grid, const Settings& settings);

// The usual candidates if no grid and no prior variance is given; else every p0 with every c, prior variance and
// epsilon. --relax adds refits of the best features with every c. With neither it nor --no-relax, usual_candidates()
// decides.
std::vector<TuneCandidate> candidates_of(const TuneGrid& grid, const Dataset& data, const Settings& settings);

}  // namespace medlar::cli
