// The finished part of a tune in a file, so that an interrupted tune can be continued.
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

// A number that changes with the data, the settings (except threads and max-seconds), the candidates, the folds or the
// name of the measure.
std::uint64_t tune_key(const Dataset& data, const Settings& settings, std::span<const TuneCandidate> candidates,
                       std::span<const Fold> folds, const std::string& measured_by);

class Checkpoint {
 public:
  // With an empty path nothing is kept. Cells of an earlier tune with the same key are filled in. A file with another
  // key, or one that is no checkpoint, is an OptionError.
  Checkpoint(std::string path, std::uint64_t key, std::vector<std::vector<Cell>>& cells, Measured& measured);

  // Notes that these candidates are finished in the fold, and writes the file if it is older than a second.
  void finished(std::size_t fold, const Lane& lane, const Measured& measured);
  void write();

 private:
  std::string path_;
  std::uint64_t key_;
  std::vector<std::vector<Cell>>& cells_;
  Measured& measured_;
  std::vector<std::vector<bool>> kept_;  // by fold and candidate: is in the file, or will be when it is next written
  std::chrono::steady_clock::time_point written_{};
  std::mutex mutex_;
};

}  // namespace medlar
