// Checks what a program may pass to fit() although a file or a command line cannot: settings out of range, datasets
// that do not fit together. The sentences are those that a user of the command would see.
#pragma once

#include "medlar/dataset.hpp"
#include "medlar/settings.hpp"

namespace medlar {

void check_settings(const Settings& settings);
// A missing cell is NaN. It is refused unless cells may be missing.
void check_dataset(const Dataset& data, bool may_miss = false);

}  // namespace medlar
