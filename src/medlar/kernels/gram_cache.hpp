// The rows of a Gram matrix that were used last, within a memory limit.
#pragma once

#include <memory>
#include <span>
#include <variant>
#include <vector>

#include "medlar/kernels/gram.hpp"
#include "medlar/kernels/gram_rows.hpp"

namespace medlar {

class GramCache {
 public:
  // At least kFewestRows rows are kept, however small the limit.
  static constexpr Index kFewestRows = 2;
  GramCache(Gram& gram, double megabytes) : GramCache(gram, megabytes, gram.storage()) {}
  // Keeps rows in a storage of its own. Fractions are possible only where the Gram matrix has them.
  GramCache(Gram& gram, double megabytes, GramStorage storage);

  GramStorage storage() const { return storage_; }
  Index capacity() const { return capacity_; }
  Index computed() const { return computed_; }     // rows so far
  Index values() const { return values_so_far_; }  // in them

  bool holds(Index example) const { return slot_of_[static_cast<std::size_t>(example)] >= 0; }

  // These rows (at most capacity(), all different), valid until the next call of anything that changes the cache.
  void fetch(std::span<const Index> batch, GramRows& rows);

  // From now on rows are over these columns. `places` tells where each stands among the present columns; the kept rows
  // drop the others. If `places` is empty, all kept rows are forgotten.
  void set_columns(std::span<const Index> columns, std::span<const Index> places = {});

  // Gives the memory back. Rows fetched later are computed anew.
  void release();

 private:
  void arrange();
  void reserve();
  std::vector<Index> slots_for(Index count);

  Gram& gram_;
  GramStorage storage_;
  Index values_wanted_, values_held_ = 0;
  std::variant<std::unique_ptr<float[]>, std::unique_ptr<double[]>, std::unique_ptr<Fraction[]>> values_;
  Index capacity_ = 0, used_ = 0, clock_ = 0, computed_ = 0, values_so_far_ = 0;
  std::vector<Index> slot_of_;            // of each example, -1 without one
  std::vector<Index> owner_, last_used_;  // of each slot
};

}  // namespace medlar
