// Many fits side by side, under one observer: it is told of each that ends, and asked whether to stop.
#pragma once

#include <functional>
#include <string_view>

#include "medlar/observer.hpp"
#include "medlar/types.hpp"

namespace medlar {

// Calls task(k, observer of that fit) for k = 0 .. count - 1 on `threads` threads (0: one per core), each taking the
// next that is left. The caller's observer hears "refit 12 of 100, about 7 s left" (what = "refit") after each. What a
// task throws ends the others and is thrown here. False: the observer asked to stop, and some were not done.
bool run_refits(Index threads, Index count, std::string_view what, Observer* observer,
                const std::function<void(Index, Observer*)>& task);

}  // namespace medlar
