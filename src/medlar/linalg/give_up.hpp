// Long linear algebra that may be given up half-way: between blocks of work it asks whether it should go on. Who can do
// without the result says so by unless_given_up(); without that, nothing is given up.
#pragma once

#include <cstddef>
#include <functional>
#include <utility>

namespace medlar {

struct GivenUp {};  // thrown by pause(), caught by unless_given_up()

// Between two blocks of work of some hundredths of a second: throws GivenUp if the end is asked for on this thread.
void pause();

// Counts the numbers that this thread has gone through, and pauses after each million. A number is worth a product or
// two; a logarithm counts as kNumbersOfALog.
void pause_after(std::size_t numbers);
inline constexpr std::size_t kNumbersPerPause = std::size_t{1} << 20, kNumbersOfALog = 8;

// The same for the steps of a loop that are over in a moment.
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

// Of a sparse matrix: so many take little time, and asking takes less.
inline constexpr std::size_t kRowsBetweenPauses = 64;

// While it lives, pause() on this thread asks this.
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

// Does the work; false when it was given up, and then whatever it was to fill is worth nothing.
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
