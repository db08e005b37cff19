// The question is asked deep inside the linear algebra, which knows no observer, so it is kept per thread. A short loop
// would never reach a million numbers by itself; what it leaves over is added to the count of its thread.
#include "medlar/linalg/give_up.hpp"

namespace medlar {

namespace {
thread_local const std::function<bool()>* asked_here = nullptr;
thread_local std::size_t numbers_here = 0;  // since the last pause
}  // namespace

void pause() {
  if (asked_here != nullptr && *asked_here && (*asked_here)()) throw GivenUp{};
}

void pause_after(std::size_t numbers) {
  if ((numbers_here += numbers) < kNumbersPerPause) return;
  numbers_here = 0;
  pause();
}

Pauses::~Pauses() {
  numbers_here += numbers_;
}

GiveUpWhen::GiveUpWhen(std::function<bool()> asked) : asked_(std::move(asked)), outer_(asked_here) {
  asked_here = &asked_;
}
GiveUpWhen::~GiveUpWhen() {
  asked_here = outer_;
}

}  // namespace medlar
