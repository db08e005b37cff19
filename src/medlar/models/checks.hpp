// What a program may hand to fit() that a file or a command line cannot: settings out of range, datasets that do not
// fit together. Refused with the sentences that a user of the command would see.
#pragma once

#include "medlar/dataset.hpp"
#include "medlar/settings.hpp"

namespace medlar {

void check_settings(const Settings& settings);
// A missing cell is a NaN; only where cells may be missing is it let through.
void check_dataset(const Dataset& data, bool may_miss = false);

}  // namespace medlar
