// What is finished of a tune, in a file, so that one that was interrupted goes on.
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "medlar/tune.hpp"
#include "medlar/tuning/lanes.hpp"

namespace medlar {

// A number that changes when the data, the settings (but for the threads), the candidates, the folds or the name of the
// measure do.
std::uint64_t tune_key(const Dataset& data, const Settings& settings, std::span<const TuneCandidate> candidates,
                       std::span<const Fold> folds, const std::string& measured_by);

class Checkpoint {
 public:
  // Nothing is kept when the path is empty. Cells of an earlier tune with the same key are set; another key, or a file
  // that is no checkpoint, is an OptionError.
  Checkpoint(std::string path, std::uint64_t key, std::vector<std::vector<Cell>>& cells, Measured& measured);

  // Notes that these candidates are finished in the fold, and writes the file if it is older than a second.
  void finished(std::size_t fold, const Lane& lane, const Measured& measured);
  void write();

 private:
  std::string path_;
  std::uint64_t key_;
  std::vector<std::vector<Cell>>& cells_;
  Measured& measured_;
  std::vector<std::vector<bool>> kept_;  // by fold and candidate: stands in the file, or will at its next writing
  std::chrono::steady_clock::time_point written_{};
  std::mutex mutex_;
};

}  // namespace medlar
