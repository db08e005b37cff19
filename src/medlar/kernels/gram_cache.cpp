// See the header.
#include "medlar/kernels/gram_cache.hpp"

#include <algorithm>

namespace medlar {

GramCache::GramCache(Gram& gram, double megabytes)
    : gram_(gram),
      values_wanted_(static_cast<Index>(std::min(megabytes * 1e6 / sizeof(float),
                                                 static_cast<double>(gram.size()) * static_cast<double>(gram.size())))),
      slot_of_(static_cast<std::size_t>(gram.size()), -1) {
  arrange();
}

// As many slots as the memory holds at the present width.
void GramCache::arrange() {
  const Index width = std::max<Index>(gram_.width(), 1);
  capacity_ = std::clamp<Index>(values_wanted_ / width, std::min(kFewestRows, gram_.size()), gram_.size());
  owner_.resize(static_cast<std::size_t>(capacity_), -1);
  last_used_.resize(static_cast<std::size_t>(capacity_), -1);
}

void GramCache::fetch(std::span<const Index> batch, std::vector<const float*>& rows) {
  const Index needed = std::max(values_wanted_, capacity_ * gram_.width());
  if (values_held_ < needed) {  // memory that is not written to costs nothing yet
    values_ = std::make_unique_for_overwrite<float[]>(static_cast<std::size_t>(needed));
    values_held_ = needed;
    used_ = 0;
    std::fill(slot_of_.begin(), slot_of_.end(), -1);
  }
  ++clock_;
  std::vector<Index> missing;
  for (const Index t : batch) {
    const Index s = slot_of_[static_cast<std::size_t>(t)];
    if (s < 0)
      missing.push_back(t);
    else
      last_used_[static_cast<std::size_t>(s)] = clock_;
  }
  std::vector<Index> free;
  const Index filled = used_;
  for (; used_ < capacity_ && std::ssize(free) < std::ssize(missing); ++used_) free.push_back(used_);
  const Index wanted = std::ssize(missing) - std::ssize(free);
  if (wanted > 0) {  // the slots that were used longest ago
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
  }
  std::vector<float*> out;
  for (std::size_t m = 0; m < missing.size(); ++m) {
    const Index s = free[m];
    slot_of_[static_cast<std::size_t>(missing[m])] = s;
    owner_[static_cast<std::size_t>(s)] = missing[m];
    last_used_[static_cast<std::size_t>(s)] = clock_;
    out.push_back(slot(s));
  }
  if (!missing.empty()) gram_.rows(missing, out.data());
  computed_ += std::ssize(missing);
  rows.clear();
  for (const Index t : batch) rows.push_back(slot(slot_of_[static_cast<std::size_t>(t)]));
}

void GramCache::set_columns(std::span<const Index> columns, std::span<const Index> places) {
  const Index before = gram_.width(), width = std::ssize(columns);
  gram_.set_columns(columns);
  if (places.empty()) {
    std::fill(slot_of_.begin(), slot_of_.end(), -1);
    used_ = 0;
  } else {
    for (Index s = 0; s < used_; ++s) {  // a row moves towards the front only, so that none is overwritten unread
      const float* const from = values_.get() + s * before;
      float* const to = values_.get() + s * width;
      for (Index j = 0; j < width; ++j) to[j] = from[places[static_cast<std::size_t>(j)]];
    }
  }
  arrange();
}

void GramCache::release() {
  values_.reset();
  values_held_ = used_ = 0;
  std::fill(slot_of_.begin(), slot_of_.end(), -1);
}

}  // namespace medlar
