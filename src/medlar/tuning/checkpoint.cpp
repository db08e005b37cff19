// A checkpoint must never be taken for that of another tune, so its key hashes all that decides a cell: data, options,
// candidates, folds and measure. Time and threads are left out, because a resumed tune may have other ones.
//
//   {"format": "medlar-tune", "version": 2, "key": ..., "metric": ..., "higher_is_better": ...,
//    "cells": [[fold, candidate, value, selected, converged, scores, probabilities, [scores of a list, ...]], ...]}
//
// Cells whose lists have very many scores are not kept: to fit them again takes less than to write them again and
// again.
#include "medlar/tuning/checkpoint.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "medlar/error.hpp"
#include "medlar/io.hpp"

namespace medlar {
namespace {

using CheckpointJson = nlohmann::ordered_json;

// The 64-bit hash of Fowler, Noll and Vo (FNV-1a).
class Hash {
 public:
  void add(const void* bytes, std::size_t count) {
    for (std::size_t k = 0; k < count; ++k) {
      state_ = (state_ ^ static_cast<const unsigned char*>(bytes)[k]) * 0x100000001b3;
    }
  }
  void add(double value) { add(&value, sizeof value); }
  void add(Index value) { add(&value, sizeof value); }
  void add(const std::string& text) {
    add(std::ssize(text));
    add(text.data(), text.size());
  }
  void add(const std::optional<double>& value) {
    add(Index{value.has_value()});
    add(value.value_or(0));
  }
  template <class Value>
  void add(const std::vector<Value>& values) {
    add(std::ssize(values));
    for (const Value& value : values) add(value);
  }
  void add(Column value) { add(Index{value}); }
  std::uint64_t state() const { return state_; }

 private:
  std::uint64_t state_ = 0xcbf29ce484222325;
};

constexpr std::size_t kMostScoresKept = 200'000;

std::size_t scores_in(const Cell& cell) {
  std::size_t count = 0;
  for (const auto& list : cell.lists) count += list.size();
  return count;
}

template <class Value>
void add_by_feature(Hash& hash, const ByFeature<Value>& given) {
  for (const auto& [name, value] : given.entries) hash.add(name), hash.add(value);
}

}  // namespace

std::uint64_t tune_key(const Dataset& data, const Settings& settings, std::span<const TuneCandidate> candidates,
                       std::span<const Fold> folds, const std::string& measured_by) {
  Hash hash;
  hash.add(data.examples());
  hash.add(data.names);
  for (Index t = 0; t < data.examples(); ++t) {
    for_each(data.x.row(t), [&](Index i, double value) { hash.add(i), hash.add(value); });
  }
  hash.add(data.target.values);
  hash.add(data.target.labels);
  hash.add(data.target.codes);
  hash.add(data.weights);
  hash.add(data.beliefs);
  for (const Option& option : options()) {
    if (option.name != "threads" && option.name != "max-seconds") hash.add(option.get(settings));
  }
  add_by_feature(hash, settings.feature_p0);
  add_by_feature(hash, settings.feature_prior_variance);
  add_by_feature(hash, settings.prior_mean);
  add_by_feature(hash, settings.feature_group);
  for (const TuneCandidate& candidate : candidates) {
    hash.add(candidate.p0);
    hash.add(candidate.c);
    hash.add(candidate.prior_variance);
    hash.add(candidate.epsilon);
    hash.add(Index{candidate.margin ? static_cast<Index>(*candidate.margin) : -1});
    hash.add(Index{candidate.ranking.has_value()});
    if (!candidate.ranking) continue;
    hash.add(candidate.ranking->p0);
    hash.add(candidate.ranking->prior_variance);
    hash.add(candidate.ranking->kept);
  }
  for (const Fold& fold : folds) hash.add(fold.fitted), hash.add(fold.left_out);
  hash.add(measured_by);
  return hash.state();
}

Checkpoint::Checkpoint(std::string path, std::uint64_t key, std::vector<std::vector<Cell>>& cells, Measured& measured)
    : path_(std::move(path)),
      key_(key),
      cells_(cells),
      measured_(measured),
      kept_(cells.size(), std::vector<bool>(cells.front().size(), false)) {
  if (path_.empty() || !std::filesystem::exists(path_)) return;
  std::ifstream file(path_, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  try {
    const CheckpointJson json = CheckpointJson::parse(text);
    if (json.at("format") != "medlar-tune" || json.at("version") != 3) throw OptionError("");
    if (json.at("key") != fmt::format("{:016x}", key_)) {
      throw OptionError(fmt::format(
          "checkpoint = {}, which is of a tune with other data, options or candidates; name another file, or "
          "remove it to begin anew",
          path_));
    }
    measured_ = {json.at("metric").get<std::string>(), 0, json.at("higher_is_better").get<bool>()};
    for (const auto& cell : json.at("cells")) {
      const auto fold = cell.at(0).get<std::size_t>(), k = cell.at(1).get<std::size_t>();
      cells_.at(fold).at(k) = {true,
                               cell.at(4).get<bool>(),
                               cell.at(2).get<double>(),
                               cell.at(3).get<double>(),
                               {cell.at(5).get<std::vector<double>>(), cell.at(6).get<std::vector<double>>()},
                               cell.at(7).get<std::vector<std::vector<float>>>()};
      kept_[fold][k] = true;
    }
  } catch (const OptionError& error) {
    if (*error.what() != '\0') throw;
    throw OptionError(fmt::format("checkpoint = {}, which is no checkpoint of a tune; name another file", path_));
  } catch (const std::exception&) {
    throw OptionError(fmt::format("checkpoint = {}, which is no checkpoint of a tune; name another file", path_));
  }
}

void Checkpoint::finished(std::size_t fold, const Lane& lane, const Measured& measured) {
  const std::lock_guard guard(mutex_);
  measured_ = measured;
  for (const std::size_t k : lane) kept_[fold][k] = true;
  if (path_.empty() || std::chrono::steady_clock::now() < written_ + std::chrono::seconds(1)) return;
  write();
}

void Checkpoint::write() {
  if (path_.empty()) return;
  CheckpointJson list = CheckpointJson::array();
  for (std::size_t fold = 0; fold < kept_.size(); ++fold) {
    for (std::size_t k = 0; k < kept_[fold].size(); ++k) {
      const Cell& cell = cells_[fold][k];
      if (!kept_[fold][k] || scores_in(cell) > kMostScoresKept) continue;
      list.push_back(
          {fold, k, cell.value, cell.selected, cell.converged, cell.left_out.scores, cell.left_out.own, cell.lists});
    }
  }
  const CheckpointJson json = {{"format", "medlar-tune"},
                               {"version", 3},
                               {"key", fmt::format("{:016x}", key_)},
                               {"metric", measured_.metric},
                               {"higher_is_better", measured_.higher_is_better},
                               {"cells", std::move(list)}};
  write_file_atomically(path_, json.dump() + "\n");
  written_ = std::chrono::steady_clock::now();
}

}  // namespace medlar
