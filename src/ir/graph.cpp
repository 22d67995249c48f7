#include "ir/graph.h"

#include <algorithm>
#include <cassert>
#include <cstring>

#include "base/error.h"
#include "base/hash.h"
#include "ir/pool.h"
#include "ir/properties.h"

namespace loom {
namespace {

uint64_t pack(uint32_t high, uint32_t low) { return uint64_t{high} << 32 | low; }

uint32_t hash_of(Op op, DType dtype, std::span<const Id> src, const Id (&first)[3], int64_t arg) {
  const uint64_t head = static_cast<uint64_t>(op) | static_cast<uint64_t>(dtype.scalar) << 8 |
                        static_cast<uint64_t>(dtype.lanes) << 16 | src.size() << 32;
  uint64_t hash = mix(pack(first[0], first[1]), head);
  hash = mix(hash ^ first[2], static_cast<uint64_t>(arg));
  for (size_t i = 3; i < src.size(); i++) hash = mix(hash, src[i]);
  return static_cast<uint32_t>(mix(hash, src.size()));
}

}  // namespace

struct Graph::Payloads {
  Pool<int64_t> ints;
  Pool<char> texts;
};

Graph::Graph(size_t expected_nodes)
    : nodes_(1), table_(std::bit_ceil(std::max<size_t>(expected_nodes, 8) * 2)) {
  mask_ = static_cast<uint32_t>(table_.size() - 1);
  nodes_.reserve(expected_nodes + 1);
  payloads_ = std::make_unique<Payloads>();
  properties_ = std::make_unique<Properties>();
}

Graph::~Graph() = default;
Graph::Graph(Graph&&) noexcept = default;
Graph& Graph::operator=(Graph&&) noexcept = default;

Id Graph::add(Op op, DType dtype, std::span<const Id> src, int64_t arg) {
  assert(std::ranges::all_of(src, [&](Id id) { return id != 0 && id < nodes_.size(); }));
  if (op == Op::kPad || op == Op::kReduce) [[unlikely]]
    properties_->shapes.add_dimensions(*this, op, src, arg);
  Slot slot = lookup(op, dtype, src, arg);
  if (table_[slot.position] != 0) return table_[slot.position];

  Node node{op,        dtype.scalar, dtype.lanes, static_cast<uint32_t>(src.size()),
            slot.hash, {0, 0, 0},    arg};
  if (src.size() <= 3) {
    std::copy(src.begin(), src.end(), node.src);
  } else {
    const std::vector<Id> list(src.begin(), src.end());  // src may point into extra_
    node.src[0] = static_cast<Id>(extra_.size());
    extra_.insert(extra_.end(), list.begin(), list.end());
  }
  const Id id = static_cast<Id>(nodes_.size());
  nodes_.push_back(node);
  table_[slot.position] = id;
  if (nodes_.size() * 2 > table_.size()) grow();
  return id;
}

Id Graph::find(Op op, DType dtype, std::span<const Id> src, int64_t arg) const {
  return table_[lookup(op, dtype, src, arg).position];
}

Graph::Slot Graph::lookup(Op op, DType dtype, std::span<const Id> src, int64_t arg) const {
  Id first[3] = {0, 0, 0};
  std::copy_n(src.begin(), std::min<size_t>(src.size(), 3), first);
  const uint32_t hash = hash_of(op, dtype, src, first, arg);
  stats_.lookups++;
  for (uint32_t position = hash & mask_;; position = (position + 1) & mask_) {
    stats_.probes++;
    const Id id = table_[position];
    if (id == 0 || matches(nodes_[id], hash, op, dtype, src, first, arg)) return {position, hash};
  }
}

bool Graph::matches(const Node& node, uint32_t hash, Op op, DType dtype, std::span<const Id> src,
                    const Id (&first)[3], int64_t arg) const {
  if (node.hash != hash || node.op != op || node.dtype() != dtype || node.arg != arg ||
      node.src_count != src.size()) {
    return false;
  }
  if (src.size() <= 3) return std::equal(first, first + 3, node.src);
  return std::equal(src.begin(), src.end(), extra_.begin() + node.src[0]);
}

void Graph::grow() {
  LargeVector<Id> table(table_.size() * 2);
  mask_ = static_cast<uint32_t>(table.size() - 1);
  for (Id id = 1; id < nodes_.size(); id++) {
    uint32_t position = nodes_[id].hash & mask_;
    while (table[position] != 0) position = (position + 1) & mask_;
    table[position] = id;
  }
  table_.swap(table);
}

int64_t Graph::ints(std::span<const int64_t> values) { return payloads_->ints.intern(values); }

int64_t Graph::text(std::string_view value) { return payloads_->texts.intern(value); }

std::span<const int64_t> Graph::ints_of(int64_t handle) const { return payloads_->ints[handle]; }

std::string_view Graph::text_of(int64_t handle) const {
  const std::span<const char> text = payloads_->texts[handle];
  return {text.data(), text.size()};
}

size_t Graph::bytes() const {
  const Properties& p = *properties_;
  return nodes_.capacity() * sizeof(Node) + (extra_.capacity() + table_.capacity()) * sizeof(Id) +
         payloads_->ints.bytes() + payloads_->texts.bytes() + p.shapes.bytes() + p.bounds.bytes() +
         p.ranges.bytes();
}

std::span<const Id> Graph::shape(Id id) const { return properties_->shapes.of(*this, id); }

Interval Graph::bounds(Id id) const { return properties_->bounds.of(*this, id); }

std::span<const Id> Graph::ranges(Id id) const { return properties_->ranges.of(*this, id); }

bool Graph::depends_on(Id id, Id range) const {
  return std::ranges::binary_search(ranges(id), range);
}

}  // namespace loom
