#include "ir/graph.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>

#include "base/error.h"
#include "base/hash.h"
#include "ir/pool.h"
#include "ir/properties.h"

namespace loom {
namespace {

// A node as it is compared, hashed and stored: as words, put together in registers, because a load
// that spans fields which were stored a moment ago waits for them.
struct Words {
  uint64_t head, sources01, sources23, arg;

  bool equals(const Node& node) const {
    Words o;
    std::memcpy(&o, &node, sizeof(Node));
    return ((head ^ o.head) | (sources01 ^ o.sources01) | (sources23 ^ o.sources23) |
            (arg ^ o.arg)) == 0;
  }
};
static_assert(sizeof(Words) == sizeof(Node));
static_assert(std::endian::native == std::endian::little, "the order of a node's fields in a word");

}  // namespace

// What a node is looked up by.
struct Graph::Parts {
  std::span<const Id> src;
  Words words;  // without the sources when they are too many
  NodeTable::Key key;

  [[gnu::always_inline]] Parts(Op op, DType dtype, std::span<const Id> sources, int64_t arg)
      : src(sources),
        words{static_cast<uint64_t>(op) | uint64_t{static_cast<uint8_t>(dtype.scalar)} << 8 |
                  uint64_t{dtype.lanes} << 16 | uint64_t{src.size()} << 32,
              0, 0, static_cast<uint64_t>(arg)} {
    if (src.empty()) {
      key.near = static_cast<Id>(mix(words.head, 0) + words.arg + (words.arg >> 32));
    } else if (is_inline()) {
      const Id a = src[0], b = source(1), c = source(2), d = source(3);
      words.sources01 = uint64_t{b} << 32 | a;
      words.sources23 = uint64_t{d} << 32 | c;
      key.near = std::max(std::max(a, b), std::max(c, d));
    } else {
      key.near = src.back();
    }
    uint64_t hash = mix(mix(words.head, words.arg) ^ words.sources01, words.sources23);
    if (!is_inline()) [[unlikely]]
      for (Id id : src) hash = mix(hash, id);
    key.hash = static_cast<uint32_t>(hash);
  }

  bool is_inline() const { return src.size() <= Node::kInline; }
  bool matches(const Graph& graph, Id id) const {
    const Node& node = graph.nodes_[id];
    if (is_inline()) [[likely]]
      return words.equals(node);
    const Words other = std::bit_cast<Words>(node);
    return words.head == other.head && words.arg == other.arg &&
           std::ranges::equal(src, graph.src(id));
  }

 private:
  Id source(size_t k) const { return k < src.size() ? src[k] : 0; }
};

struct Graph::Payloads {
  Pool<int64_t> ints;
  Pool<char> texts;
};

Graph::Graph(size_t expected_nodes) : nodes_(1), table_(expected_nodes) {
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
  Parts parts(op, dtype, src, arg);
  const NodeTable::Place place = lookup(parts);
  if (place.id != 0) return place.id;

  if (!parts.is_inline()) [[unlikely]] {
    const std::vector<Id> list(src.begin(), src.end());  // src may point into extra_
    parts.words.sources01 = extra_.size();
    extra_.insert(extra_.end(), list.begin(), list.end());
  }
  const Id id = static_cast<Id>(nodes_.size());
  std::memcpy(static_cast<void*>(&nodes_.emplace_back()), &parts.words, sizeof(Node));
  table_.put(place, parts.key, id);
  if (table_.is_full(nodes_.size())) [[unlikely]]
    grow();
  return id;
}

Id Graph::find(Op op, DType dtype, std::span<const Id> src, int64_t arg) const {
  return lookup(Parts(op, dtype, src, arg)).id;
}

NodeTable::Place Graph::lookup(const Parts& parts) const {
  const NodeTable::Place place =
      table_.find(parts.key, [&](Id id) { return parts.matches(*this, id); });
  stats_.lookups++;
  stats_.probes += place.probes;
  return place;
}

void Graph::grow() {
  table_ = NodeTable(nodes_.size());
  for (Id id = 1; id < nodes_.size(); id++) {
    const Parts parts(op(id), dtype(id), src(id), arg(id));
    table_.put(table_.find(parts.key, [](Id) { return false; }), parts.key, id);
  }
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
  return nodes_.capacity() * sizeof(Node) + extra_.capacity() * sizeof(Id) + table_.bytes() +
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
