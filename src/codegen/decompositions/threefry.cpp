// THREEFRY: Threefry2x32 with 20 rounds (Salmon et al., "Parallel random numbers: as easy as 1, 2,
// 3", 2011), a bijection of 64 bits for every key, in 32-bit additions, rotations and XORs.
#include "codegen/decompositions/expansions.h"

namespace loom {
namespace {

Expr low_half(Expr x) { return x.to(kUInt32); }
Expr high_half(Expr x) { return (x >> 32).to(kUInt32); }
Expr rotate_left(Expr x, int n) { return (x << n) | (x >> (32 - n)); }

}  // namespace

Expr threefry_expansion(Expr counter, Expr key) {
  constexpr int kRotations[8] = {13, 15, 26, 6, 17, 29, 16, 24};
  const Expr k0 = low_half(key), k1 = high_half(key), k2 = k0 ^ k1 ^ 0x1BD11BDA;
  const Expr keys[3] = {k0, k1, k2};
  Expr x = low_half(counter) + k0, y = high_half(counter) + k1;
  for (int round = 0; round < 20; ++round) {
    x = x + y;
    y = rotate_left(y, kRotations[round % 8]) ^ x;
    if (round % 4 != 3) continue;
    const int injection = round / 4 + 1;
    x = x + keys[injection % 3];
    y = y + keys[(injection + 1) % 3] + injection;
  }
  return x.to(kUInt64) | (y.to(kUInt64) << 32);
}

}  // namespace loom
