// The observer is also polled during preparation, through pause() (linalg/give_up.hpp). Nothing is certified by then
// and no report can describe an early end. An observer that can do without a model throws Interrupted, which ends the
// fit.
#pragma once

#include <utility>

#include "medlar/linalg/give_up.hpp"
#include "medlar/observer.hpp"

namespace medlar {

template <class Fit>
auto heard_by(Observer* observer, Fit&& fit) {
  const GiveUpWhen scope([observer] {
    if (observer != nullptr) observer->stop_requested();
    return false;  // only an exception ends the work, not its answer
  });
  return std::forward<Fit>(fit)();
}

}  // namespace medlar
