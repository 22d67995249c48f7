#include "rewrite/rules/chain.h"

#include <algorithm>
#include <tuple>

#include "rewrite/pattern_build.h"

namespace loom {

using pattern::scalar_constant;

Chain Chain::of(const Graph& g, Op op, Id id) {
  Chain chain;
  for (chain.rest = id; chain.rest != 0 && chain.size < kLongestChain;) {
    const bool goes_on = g.op(chain.rest) == op;
    chain.operands[chain.size++] = goes_on ? g.src(chain.rest, 1) : chain.rest;
    chain.rest = goes_on ? g.src(chain.rest, 0) : 0;
  }
  return chain;
}

Id Chain::build(Graph& g, Op op) const {
  Id result = rest;
  for (size_t i = size; i-- > 0;)
    result = result == 0 ? operands[i] : binary(g, op, result, operands[i]);
  return result;
}

Scaled Scaled::of(const Graph& g, Id id) {
  if (g.op(id) != Op::kMul) return {id, 1};
  const Id factor = scalar_constant(g, g.src(id, 1));
  return factor == 0 ? Scaled{id, 1} : Scaled{g.src(id, 0), int_value(g, factor)};
}

bool comes_before(const Graph& g, Id a, Id b) {
  const auto key = [&](Id id) {
    const Id base = Scaled::of(g, id).base;
    const bool is_range = g.op(base) == Op::kRange;
    return std::tuple(!is_range, is_range ? g.arg(base) : 0, base, id);
  };
  return key(a) < key(b);
}

namespace {

// a op (b op c) -> (b op c) op a, and for two chains (a op b) op c.
Id join_chains(Graph& g, Op op, Id a, Id b) {
  if (g.op(a) != op) return binary(g, op, b, a);
  Chain shorter = Chain::of(g, op, b);
  if (!shorter.is_whole()) {
    std::swap(a, b);
    shorter = Chain::of(g, op, b);
    if (!shorter.is_whole()) return 0;
  }
  for (size_t i = shorter.size; i-- > 0;) a = binary(g, op, a, shorter.operands[i]);
  return a;
}

}  // namespace

Id place_operand(Match& m, Merge merge) {
  Graph& g = m.graph();
  const Op op = g.op(m.root());
  const Id before = g.src(m.root(), 0), last = g.src(m.root(), 1);
  if (g.op(last) == op) return join_chains(g, op, before, last);

  Chain chain = Chain::of(g, op, before);
  for (size_t i = 0; i < chain.size; i++) {
    if (const Id merged = merge(g, chain.operands[i], last)) {
      chain.operands[i] = merged;
      return chain.build(g, op);
    }
  }
  if (!chain.is_whole() || !comes_before(g, last, chain.operands[0])) return 0;
  size_t place = 1;
  while (place < chain.size && comes_before(g, last, chain.operands[place])) place++;
  Id result = 0;
  for (size_t i = chain.size; i-- > 0;) {
    if (i + 1 == place) result = result == 0 ? last : binary(g, op, result, last);
    result = result == 0 ? chain.operands[i] : binary(g, op, result, chain.operands[i]);
  }
  return result;
}

}  // namespace loom
