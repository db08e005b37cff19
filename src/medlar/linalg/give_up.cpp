// See the header.
#include "medlar/linalg/give_up.hpp"

namespace medlar {

namespace {
thread_local const std::function<bool()>* asked_here = nullptr;
}

void pause() {
  if (asked_here != nullptr && *asked_here && (*asked_here)()) throw GivenUp{};
}

GiveUpWhen::GiveUpWhen(std::function<bool()> asked) : asked_(std::move(asked)), outer_(asked_here) {
  asked_here = &asked_;
}
GiveUpWhen::~GiveUpWhen() {
  asked_here = outer_;
}

}  // namespace medlar
