// While data are prepared nothing can be certified and no report can tell of an early end. pause() (linalg/give_up.hpp)
// asks the observer all the same: one that can do without a model throws Interrupted, and the fit is over.
#pragma once

#include <utility>

#include "medlar/linalg/give_up.hpp"
#include "medlar/observer.hpp"

namespace medlar {

template <class Fit>
auto heard_by(Observer* observer, Fit&& fit) {
  const GiveUpWhen scope([observer] {
    if (observer != nullptr) observer->stop_requested();
    return false;  // what it throws ends the work, not what it says
  });
  return std::forward<Fit>(fit)();
}

}  // namespace medlar
