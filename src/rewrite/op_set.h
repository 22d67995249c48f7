// A set of ops as bits: what a pattern can match at one place.
#pragma once
#include <cstdint>

#include "ir/op.h"

namespace loom {

struct OpSet {
  uint64_t low = 0, high = 0;  // public, so that a set can be a template argument

  constexpr bool has(Op op) const {
    const auto bit = static_cast<unsigned>(op);
    return ((bit < 64 ? low >> bit : high >> (bit - 64)) & 1) != 0;
  }
  constexpr bool operator==(const OpSet&) const = default;
  constexpr OpSet operator|(OpSet o) const { return {low | o.low, high | o.high}; }
  constexpr OpSet operator&(OpSet o) const { return {low & o.low, high & o.high}; }
  constexpr bool empty() const { return low == 0 && high == 0; }
};
static_assert(kOpCount <= 128);

constexpr OpSet only(Op op) {
  const auto bit = static_cast<unsigned>(op);
  return bit < 64 ? OpSet{uint64_t{1} << bit, 0} : OpSet{0, uint64_t{1} << (bit - 64)};
}

/// The ops for which `belongs` holds; Op::kNone ("no source here") is never among them.
template <class F>
constexpr OpSet ops_where(F belongs) {
  OpSet set;
  for (int i = 1; i < kOpCount; i++) {
    if (belongs(static_cast<Op>(i))) set = set | only(static_cast<Op>(i));
  }
  return set;
}

inline constexpr OpSet kAnyOp = ops_where([](Op) { return true; });
inline constexpr OpSet kConstantOps =
    only(Op::kConst) | only(Op::kVectorize);  // or a broadcast of one
inline constexpr OpSet kUnaryOps = ops_where(is_unary);
inline constexpr OpSet kBinaryOps = ops_where(is_binary);
inline constexpr OpSet kTernaryOps = ops_where(is_ternary);
inline constexpr OpSet kAluOps = ops_where(is_alu);
inline constexpr OpSet kElementwiseOps = ops_where(is_elementwise);
inline constexpr OpSet kComparisonOps = ops_where(is_comparison);
inline constexpr OpSet kEqualityOps = only(Op::kCmpEq) | only(Op::kCmpNe);
inline constexpr OpSet kCommutativeOps = ops_where(is_commutative);
inline constexpr OpSet kViewOps = ops_where(is_view);
/// Elementwise ops that work on each lane by itself.
inline constexpr OpSet kLanewiseOps =
    ops_where([](Op op) { return is_elementwise(op) && op != Op::kBitcast; });
/// Of these, the ones whose result does not depend on the device, so that constants may be folded.
/// WHERE has rules of its own.
inline constexpr OpSet kFoldableOps = ops_where([](Op op) {
  const bool is_approximate =
      op == Op::kExp2 || op == Op::kLog2 || op == Op::kSin || op == Op::kPow;
  return kLanewiseOps.has(op) && !is_approximate && op != Op::kWhere;
});

}  // namespace loom
