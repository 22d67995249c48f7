#include "ir/session.h"

#include <algorithm>
#include <utility>

#include "base/error.h"

namespace loom {

Root::Root(Root&& other) noexcept
    : session_(std::exchange(other.session_, nullptr)), place_(other.place_) {}

Root& Root::operator=(Root&& other) noexcept {
  std::swap(session_, other.session_);
  std::swap(place_, other.place_);
  return *this;
}

Root::~Root() {
  if (session_ != nullptr) session_->drop(place_);
}

void Session::drop(uint32_t place) noexcept {
  const std::lock_guard lock(dropped_mutex_);
  dropped_.push_back(place);
}

void Session::take_dropped() {
  const std::lock_guard lock(dropped_mutex_);
  for (uint32_t place : dropped_) roots_[place] = 0;
  vacant_.insert(vacant_.end(), dropped_.begin(), dropped_.end());
  dropped_.clear();
}

void Session::compact() {
  std::vector<Id> live;
  for (Id id : roots_) {
    if (id != 0) live.push_back(id);
  }
  Graph fresh(live.size());
  const std::vector<Id> moved = import(fresh, graph_, live);
  auto next = moved.begin();
  for (Id& id : roots_) {
    if (id != 0) id = *next++;
  }
  graph_ = std::move(fresh);
  compact_at_ = 2 * graph_.size() + 4096;
}

Session::Access Session::access() {
  Access access(this);
  take_dropped();
  if (graph_.size() > compact_at_) compact();
  return access;
}

Root Session::Access::root(Id id) {
  require(id != 0, "a root without a node");
  Session& session = *session_;
  if (session.vacant_.empty()) {
    session.roots_.push_back(0);
    session.vacant_.push_back(static_cast<uint32_t>(session.roots_.size() - 1));
  }
  const uint32_t place = session.vacant_.back();
  session.vacant_.pop_back();
  session.roots_[place] = id;
  return {session_, place};
}

void Session::Access::replace(std::span<const Id> from, std::span<const Id> to) {
  if (from.empty()) return;
  // One sweep over all roots together: those above the lowest replaced node are the ones to look
  // at.
  const Id lowest = *std::ranges::min_element(from);
  std::vector<uint32_t> places;
  std::vector<Id> sources;
  for (uint32_t place = 0; place < session_->roots_.size(); place++) {
    if (session_->roots_[place] < lowest) continue;
    places.push_back(place);
    sources.push_back(session_->roots_[place]);
  }
  const std::vector<Id> replaced = substitute(graph(), sources, from, to);
  for (size_t i = 0; i < places.size(); i++) session_->roots_[places[i]] = replaced[i];
}

}  // namespace loom
