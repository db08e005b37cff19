// The width of a row shrinks when the solver shrinks its columns, and the same memory then holds more rows. Rows are
// therefore compacted in place: each moves towards the front, never over one that is still to be read.
#include "medlar/kernels/gram_cache.hpp"

#include <algorithm>
#include <type_traits>

namespace medlar {

namespace {

double bytes_of(GramStorage storage) {
  if (storage == GramStorage::fractions) return sizeof(Fraction);
  return storage == GramStorage::doubles ? sizeof(double) : sizeof(float);
}

}  // namespace

GramCache::GramCache(Gram& gram, double megabytes, GramStorage storage)
    : gram_(gram),
      storage_(storage),
      values_wanted_(static_cast<Index>(std::min(megabytes * 1e6 / bytes_of(storage),
                                                 static_cast<double>(gram.size()) * static_cast<double>(gram.size())))),
      slot_of_(static_cast<std::size_t>(gram.size()), -1) {
  if (storage == GramStorage::doubles) values_ = std::unique_ptr<double[]>();
  if (storage == GramStorage::fractions) values_ = std::unique_ptr<Fraction[]>();
  arrange();
}

// Makes as many slots as the memory holds at the present width.
void GramCache::arrange() {
  const Index width = std::max<Index>(gram_.width(), 1);
  capacity_ = std::clamp<Index>(values_wanted_ / width, std::min(kFewestRows, gram_.size()), gram_.size());
  owner_.resize(static_cast<std::size_t>(capacity_), -1);
  last_used_.resize(static_cast<std::size_t>(capacity_), -1);
}

// The whole limit is allocated at once, because memory costs nothing until it is written to.
void GramCache::reserve() {
  const Index needed = std::max(values_wanted_, capacity_ * gram_.width());
  if (values_held_ >= needed) return;
  std::visit(
      [&]<class Value>(std::unique_ptr<Value[]>& values) {
        values = std::make_unique_for_overwrite<Value[]>(static_cast<std::size_t>(needed));
      },
      values_);
  values_held_ = needed;
  used_ = 0;
  std::fill(slot_of_.begin(), slot_of_.end(), -1);
}

// Finds `count` slots: empty ones first, then those used longest ago.
std::vector<Index> GramCache::slots_for(Index count) {
  std::vector<Index> free;
  const Index filled = used_;
  for (; used_ < capacity_ && std::ssize(free) < count; ++used_) free.push_back(used_);
  const Index wanted = count - std::ssize(free);
  if (wanted <= 0) return free;
  std::vector<Index> oldest;
  for (Index s = 0; s < filled; ++s) {
    if (last_used_[static_cast<std::size_t>(s)] < clock_) oldest.push_back(s);
  }
  std::nth_element(oldest.begin(), oldest.begin() + (wanted - 1), oldest.end(), [this](Index a, Index b) {
    const Index u = last_used_[static_cast<std::size_t>(a)], v = last_used_[static_cast<std::size_t>(b)];
    return u != v ? u < v : a < b;
  });
  for (Index k = 0; k < wanted; ++k) {
    const Index s = oldest[static_cast<std::size_t>(k)];
    slot_of_[static_cast<std::size_t>(owner_[static_cast<std::size_t>(s)])] = -1;
    free.push_back(s);
  }
  return free;
}

void GramCache::fetch(std::span<const Index> batch, GramRows& rows) {
  reserve();
  ++clock_;
  std::vector<Index> missing;
  for (const Index t : batch) {
    const Index s = slot_of_[static_cast<std::size_t>(t)];
    if (s < 0)
      missing.push_back(t);
    else
      last_used_[static_cast<std::size_t>(s)] = clock_;
  }
  const std::vector<Index> free = slots_for(std::ssize(missing));
  for (std::size_t m = 0; m < missing.size(); ++m) {
    const auto s = static_cast<std::size_t>(free[m]);
    slot_of_[static_cast<std::size_t>(missing[m])] = free[m];
    owner_[s] = missing[m];
    last_used_[s] = clock_;
  }
  computed_ += std::ssize(missing);
  values_so_far_ += std::ssize(missing) * gram_.width();
  rows.clear();
  std::visit(
      [&]<class Value>(const std::unique_ptr<Value[]>& values) {
        const auto slot = [&](Index s) { return values.get() + s * gram_.width(); };
        std::vector<Value*> out;
        for (std::size_t m = 0; m < missing.size(); ++m) out.push_back(slot(free[m]));
        if (!missing.empty()) gram_.rows(missing, out.data());
        for (const Index t : batch) {
          const Value* const row = slot(slot_of_[static_cast<std::size_t>(t)]);
          if constexpr (std::is_same_v<Value, float>) rows.floats.push_back(row);
          if constexpr (std::is_same_v<Value, double>) rows.doubles.push_back(row);
          if constexpr (std::is_same_v<Value, Fraction>) rows.fractions.push_back(row);
        }
      },
      values_);
}

void GramCache::set_columns(std::span<const Index> columns, std::span<const Index> places) {
  const Index before = gram_.width(), width = std::ssize(columns);
  gram_.set_columns(columns);
  if (places.empty()) {
    std::fill(slot_of_.begin(), slot_of_.end(), -1);
    used_ = 0;
  } else {
    std::visit(
        [&]<class Value>(const std::unique_ptr<Value[]>& values) {
          for (Index s = 0; s < used_; ++s) {  // rows only move towards the front, so none is overwritten unread
            const Value* const from = values.get() + s * before;
            Value* const to = values.get() + s * width;
            for (Index j = 0; j < width; ++j) to[j] = from[places[static_cast<std::size_t>(j)]];
          }
        },
        values_);
  }
  arrange();
}

void GramCache::release() {
  std::visit([](auto& values) { values.reset(); }, values_);
  values_held_ = used_ = 0;
  std::fill(slot_of_.begin(), slot_of_.end(), -1);
}

}  // namespace medlar
