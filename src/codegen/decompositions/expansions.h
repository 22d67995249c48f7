// Operations written out in simpler ones, expression by expression. No MULACC and no fast-math:
// every device rounds every step alike, so every device gives the same bits (docs/numerics.md).
#pragma once
#include <optional>

#include "ir/expr.h"

namespace loom {

// Of float32 or float64, less than 1 ulp off.
Expr exp2_expansion(Expr x);
Expr log2_expansion(Expr x);
Expr sin_expansion(Expr x);
Expr exp_expansion(Expr x);
Expr log_expansion(Expr x);
Expr cos_expansion(Expr x);
/// x to the power y with the special cases of C's pow.
Expr pow_expansion(Expr x, Expr y);

/// x to the power y of integers and bools; a negative power is 1 / x^-y with its fraction cut off.
Expr integer_pow_expansion(Expr x, Expr y);
/// Threefry2x32 with 20 rounds; counter and key are uint64 with their low halves first.
Expr threefry_expansion(Expr counter, Expr key);

// Integer operations with a guard, or nothing when interval analysis proves that they need none.
std::optional<Expr> idiv_expansion(Expr x, Expr divisor);
std::optional<Expr> mod_expansion(Expr x, Expr divisor);
std::optional<Expr> shl_expansion(Expr x, Expr count);
std::optional<Expr> shr_expansion(Expr x, Expr count);

/// float16 or bfloat16 as float32, by integer operations.
Expr widen_expansion(Expr half);
/// float32 or float64 as float16 or bfloat16, rounded once, by integer operations.
Expr narrow_expansion(Expr wide, DType half);

}  // namespace loom
