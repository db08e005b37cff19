// Long linear algebra that can be given up half-way: between blocks of work it asks whether to go on. A caller that can
// do without the result says so with unless_given_up(). Without that, nothing is given up.
#pragma once

#include <cstddef>
#include <functional>
#include <utility>

namespace medlar {

struct GivenUp {};  // thrown by pause(), caught by unless_given_up()

// Called between two blocks of work of some hundredths of a second. Throws GivenUp if this thread was asked to end.
void pause();

// Counts the numbers that this thread has worked through, and pauses after each million. A number stands for a product
// or two; a logarithm counts as kNumbersOfALog.
void pause_after(std::size_t numbers);
inline constexpr std::size_t kNumbersPerPause = std::size_t{1} << 20, kNumbersOfALog = 8;

// The same for a loop of short steps: it counts in a member and not in a variable of the thread.
class Pauses {
 public:
  Pauses() = default;
  ~Pauses();
  Pauses(const Pauses&) = delete;
  Pauses& operator=(const Pauses&) = delete;
  void after(std::size_t numbers) {
    if ((numbers_ += numbers) < kNumbersPerPause) return;
    numbers_ = 0;
    pause();
  }

 private:
  std::size_t numbers_ = 0;
};

// Rows of a sparse matrix between two pauses: they take little time, and asking takes less.
inline constexpr std::size_t kRowsBetweenPauses = 64;

// While it lives, pause() on this thread asks `asked`.
class GiveUpWhen {
 public:
  explicit GiveUpWhen(std::function<bool()> asked);
  ~GiveUpWhen();
  GiveUpWhen(const GiveUpWhen&) = delete;
  GiveUpWhen& operator=(const GiveUpWhen&) = delete;

 private:
  std::function<bool()> asked_;
  const std::function<bool()>* outer_;
};

// Does the work. Returns false when it was given up; its result is then worthless.
template <class Work>
bool unless_given_up(std::function<bool()> asked, Work&& work) {
  const GiveUpWhen scope(std::move(asked));
  try {
    pause();
    std::forward<Work>(work)();
    return true;
  } catch (const GivenUp&) {
    return false;
  }
}

}  // namespace medlar
