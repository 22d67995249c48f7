#include <algorithm>
#include <bit>

#include "base/error.h"
#include "base/hash.h"
#include "ir/graph.h"

namespace loom {
namespace {

// Copies nodes from one graph to another, sharing what was copied before.
class Importer {
 public:
  Importer(Graph& to, const Graph& from) : to_(to), from_(from), copies_(from.size()) {}

  void copy(Id id) {
    src_.clear();
    for (Id source : from_.src(id)) src_.push_back(copies_[source]);
    copies_[id] = copy_node(to_, from_, id, src_);
  }
  Id operator[](Id id) const { return copies_[id]; }

 private:
  Graph& to_;
  const Graph& from_;
  std::vector<Id> copies_;
  std::vector<Id> src_;
};

// Hashes a sequence of words to 128 bits: two chains of 64 bits that differ in their start and in
// which factor the word is.
class Mixer {
 public:
  void add(uint64_t word) {
    lo_ = mix(lo_, word);
    hi_ = mix(word, hi_);
  }
  StructuralHash result() const { return {lo_, hi_}; }

 private:
  uint64_t lo_ = 0x243F6A8885A308D3, hi_ = 0x13198A2E03707344;
};

void add_arg(Mixer& mixer, const Graph& graph, const Node& node) {
  switch (info(node.op).arg) {
    case ArgKind::kInts: {
      const std::span<const int64_t> values = graph.ints_of(node.arg);
      mixer.add(values.size());
      for (int64_t value : values) mixer.add(static_cast<uint64_t>(value));
      return;
    }
    case ArgKind::kText: {
      const std::string_view text = graph.text_of(node.arg);
      mixer.add(text.size());
      for (char c : text) mixer.add(static_cast<unsigned char>(c));
      return;
    }
    default: mixer.add(static_cast<uint64_t>(node.arg));
  }
}

}  // namespace

std::vector<Id> reachable(const Graph& graph, std::span<const Id> roots) {
  if (roots.empty()) return {};
  // One bit for each id. Sources come before their users, so one sweep from the top finds all, and
  // whole words without a bit are skipped: a small part of a large graph costs little.
  std::vector<uint64_t> pending(*std::ranges::max_element(roots) / 64 + 1);
  const auto mark = [&](Id id) { pending[id / 64] |= uint64_t{1} << id % 64; };
  for (Id root : roots) mark(root);
  pending[0] &= ~uint64_t{1};  // id 0 is no node
  std::vector<Id> ids;
  for (size_t word = pending.size(); word-- > 0;) {
    while (pending[word] != 0) {
      const int highest = 63 - std::countl_zero(pending[word]);
      pending[word] ^= uint64_t{1} << highest;
      const Id id = static_cast<Id>(word * 64 + static_cast<size_t>(highest));
      ids.push_back(id);
      for (Id source : graph.src(id)) mark(source);
    }
  }
  std::ranges::reverse(ids);
  return ids;
}

Id copy_node(Graph& to, const Graph& from, Id id, std::span<const Id> src) {
  const Node node = from[id];
  int64_t arg = node.arg;
  if (info(node.op).arg == ArgKind::kInts) arg = to.ints(from.ints_of(arg));
  if (info(node.op).arg == ArgKind::kText) arg = to.text(from.text_of(arg));
  return to.add(node.op, node.dtype(), src, arg);
}

std::vector<Id> import(Graph& to, const Graph& from, std::span<const Id> roots) {
  Importer importer(to, from);
  for (Id id : reachable(from, roots)) importer.copy(id);
  std::vector<Id> copies;
  for (Id root : roots) copies.push_back(importer[root]);
  return copies;
}

Id import(Graph& to, const Graph& from, Id root) {
  return import(to, from, std::span(&root, 1)).front();
}

std::vector<Id> substitute(Graph& graph, std::span<const Id> roots, std::span<const Id> from,
                           std::span<const Id> to) {
  require(from.size() == to.size(), "substitute: ", from.size(), " nodes to replace by ",
          to.size());
  const std::vector<Id> live = reachable(graph, roots);
  std::vector<Id> copies(live.empty() ? 0 : live.back() + 1);
  for (size_t i = 0; i < from.size(); i++) {
    if (from[i] < copies.size()) copies[from[i]] = to[i];
  }
  std::vector<Id> src;
  for (Id id : live) {
    if (copies[id] != 0) continue;
    const std::span<const Id> old = graph.src(id);
    src.clear();
    for (Id source : old) src.push_back(copies[source]);
    const Node node = graph[id];
    copies[id] =
        std::ranges::equal(src, old) ? id : graph.add(node.op, node.dtype(), src, node.arg);
  }
  std::vector<Id> results;
  for (Id root : roots) results.push_back(copies[root]);
  return results;
}

Id substitute(Graph& graph, Id root, std::span<const Id> from, std::span<const Id> to) {
  return substitute(graph, std::span(&root, 1), from, to).front();
}

std::vector<StructuralHash> structural_hash(const Graph& graph, std::span<const Id> roots) {
  const std::vector<Id> live = reachable(graph, roots);
  std::vector<StructuralHash> hashes(live.empty() ? 0 : live.back() + 1);
  for (Id id : live) {
    const Node& node = graph[id];
    Mixer mixer;
    mixer.add(static_cast<uint64_t>(node.op) | static_cast<uint64_t>(node.scalar) << 8 |
              uint64_t{node.lanes} << 16);
    mixer.add(node.src_count);
    add_arg(mixer, graph, node);
    for (Id source : graph.src(id)) {
      mixer.add(hashes[source].lo);
      mixer.add(hashes[source].hi);
    }
    hashes[id] = mixer.result();
  }
  std::vector<StructuralHash> results;
  for (Id root : roots) results.push_back(hashes[root]);
  return results;
}

StructuralHash structural_hash(const Graph& graph, Id root) {
  return structural_hash(graph, std::span(&root, 1)).front();
}

}  // namespace loom
