// A map from ids to ids that costs only the pages that are touched: rewriting a small expression of
// a large graph takes time and memory in proportion to the expression.
#pragma once
#include <array>
#include <memory>
#include <vector>

#include "ir/graph.h"

namespace loom {

class Memo {
 public:
  /// 0 for an id that was never set.
  Id operator[](Id id) const {
    const size_t page = id / kPageSize;
    return page < pages_.size() ? (*pages_[page])[id % kPageSize] : 0;
  }
  void set(Id id, Id value) {
    const size_t page = id / kPageSize;
    if (page >= pages_.size() || pages_[page] == &kEmpty) [[unlikely]]
      own(page);
    (*pages_[page])[id % kPageSize] = value;
  }

 private:
  static constexpr size_t kPageSize = 1024;
  using Page = std::array<Id, kPageSize>;
  static inline Page kEmpty = {};  // never written

  [[gnu::noinline]] void own(size_t page) {
    if (page >= pages_.size()) pages_.resize(page + 1 + page / 2, &kEmpty);
    pages_[page] = owned_.emplace_back(std::make_unique<Page>()).get();
  }

  std::vector<Page*> pages_;
  std::vector<std::unique_ptr<Page>> owned_;
};

}  // namespace loom
