// What tune goes by: the metric of --metric on examples that were left out.
#pragma once

#include <string>

#include "command.hpp"

namespace medlar::cli {

// The usual one when the name is empty. A name that is unknown is refused here, one that is no metric of the task at
// the first fit.
Measure held_out_by(const std::string& metric);

}  // namespace medlar::cli
