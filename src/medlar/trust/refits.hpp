// Many fits side by side under one observer, which hears of each that ends and is asked whether to stop.
#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "medlar/observer.hpp"
#include "medlar/types.hpp"

namespace medlar {

class Refits {
 public:
  // On `threads` threads (0: one per core). The caller's observer hears "refit 12 of 100, about 7 s left" (what =
  // "refit") after each; `total` may change on the way.
  Refits(Index threads, Index total, std::string_view what, Observer* observer);
  ~Refits();

  // Calls task(k, observer of that fit) for k = 0 .. count - 1; each thread takes the next one. An exception from a
  // task ends the others and is thrown here. Returns false if the observer asked to stop before all were done.
  bool run(Index count, const std::function<void(Index, Observer*)>& task);

  // Announces how many are still to come.
  void expect(Index left);

 private:
  class Shared;
  Index threads_;
  std::unique_ptr<Shared> shared_;
};

}  // namespace medlar
