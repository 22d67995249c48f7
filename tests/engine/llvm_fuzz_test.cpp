// Random straight-line kernels with loads, gathers, gates and every elementwise operation, compiled
// and interpreted.
#include <gtest/gtest.h>

#include <iostream>
#include <map>
#include <random>

#include "base/str.h"
#include "tests/engine/kernel_builder.h"

namespace loom {
namespace {

constexpr int64_t kSize = 64;  // elements of each buffer; a power of two
constexpr DType kTypes[] = {kBool,   kInt8,  kUInt8,  kInt16,   kUInt16, kInt32,
                            kUInt32, kInt64, kUInt64, kFloat32, kFloat64};
constexpr size_t kTypeCount = std::size(kTypes);

class RandomKernel {
 public:
  RandomKernel(uint64_t seed, int lanes) : random_(seed), lanes_(lanes) {
    loop_ = b_.loop(kSize / lanes, 0);
    offset_ = b_.put(mul(b_.g, loop_, index_const(b_.g, lanes)));
    for (size_t t = 0; t < kTypeCount; ++t)
      values_[t].push_back(b_.load_at(input(t), offset_, lanes));
  }

  LoweredKernel make(int steps) {
    for (int k = 0; k < steps; ++k) add_step();
    for (size_t t = 0; t < kTypeCount; ++t) {
      const Id gate = pick(3) == 0 ? a(kBool) : 0;
      b_.store_at(b_.param(static_cast<int64_t>(t), kTypes[t], kSize), offset_, values_[t].back(),
                  gate);
    }
    b_.end(b_.order.back(), loop_);
    return b_.finish();
  }

 private:
  size_t pick(size_t n) { return random_() % n; }
  static size_t position(DType dtype) {
    return static_cast<size_t>(std::find(kTypes, kTypes + kTypeCount, dtype) - kTypes);
  }
  Id input(size_t t) { return b_.param(static_cast<int64_t>(kTypeCount + t), kTypes[t], kSize); }

  /// A value of that type, of those made so far.
  Id a(DType dtype) {
    const auto& made = values_[position(dtype)];
    return made[made.size() - 1 - pick(std::min<size_t>(made.size(), 6))];
  }
  Id number(DType dtype, int64_t value) {
    const Id scalar = constant(b_.g, dtype, value);
    return lanes_ == 1 ? scalar : b_.put(broadcast(b_.g, scalar, lanes_));
  }
  void keep(Id value) { values_[position(b_.g.dtype(value).element())].push_back(b_.put(value)); }

  void add_step() {
    const DType dtype = kTypes[pick(kTypeCount)];
    switch (pick(8)) {
      case 0:
        return keep(cast(b_.g, a(kTypes[(position(dtype) + 1 + pick(9)) % kTypeCount]), dtype));
      case 1: return keep(where(b_.g, a(kBool), a(dtype), a(dtype)));
      case 2:
        return keep(binary(b_.g, one_of({Op::kCmpLt, Op::kCmpNe, Op::kCmpEq}), a(dtype), a(dtype)));
      case 3: return gather(dtype);
      case 4:
        return dtype.is_float()
                   ? keep(unary(b_.g, one_of({Op::kSqrt, Op::kRecip, Op::kTrunc, Op::kNeg}),
                                a(dtype)))
                   : bitwise(dtype);
      case 5: return keep(muladd(b_.g, a(dtype), a(dtype), a(dtype)));
      case 6:
        return dtype.is_float() ? keep(binary(b_.g, Op::kFDiv, a(dtype), a(dtype)))
                                : divide_or_shift(dtype);
      default:
        return keep(
            binary(b_.g, one_of({Op::kAdd, Op::kSub, Op::kMul, Op::kMax}), a(dtype), a(dtype)));
    }
  }

  Op one_of(std::initializer_list<Op> ops) { return ops.begin()[pick(ops.size())]; }

  void bitwise(DType dtype) {
    keep(binary(b_.g, one_of({Op::kAnd, Op::kOr, Op::kXor}), a(dtype), a(dtype)));
  }

  // Divisors from 1 to 8 or from -9 to -2, shifts within the width: what decompositions leave.
  void divide_or_shift(DType dtype) {
    if (dtype.is_bool()) return bitwise(dtype);
    const bool shifts = pick(2) == 0;
    const Id masked =
        b_.put(binary(b_.g, Op::kAnd, a(dtype), number(dtype, shifts ? dtype.bits() - 1 : 7)));
    if (shifts) return keep(binary(b_.g, one_of({Op::kShl, Op::kShr}), a(dtype), masked));
    const bool negative = dtype.is_signed_int() && pick(2) == 0;
    const Id divisor = b_.put(add(b_.g, masked, number(dtype, negative ? -9 : 1)));
    keep(binary(b_.g, one_of({Op::kIDiv, Op::kMod}), a(dtype), divisor));
  }

  void gather(DType dtype) {
    const DType offsets = pick(2) == 0 ? kInt32 : kInt64;
    const Id offset = b_.put(binary(b_.g, Op::kAnd, a(offsets), number(offsets, kSize - 1)));
    const bool gated = pick(2) == 0;
    const Id gate = gated ? a(kBool) : 0, alternative = gated ? a(dtype) : 0;
    values_[position(dtype)].push_back(
        b_.load_at(input(position(dtype)), offset, lanes_, gate, alternative));
  }

  std::mt19937_64 random_;
  int lanes_;
  KernelBuilder b_;
  Id loop_ = 0, offset_ = 0;
  std::map<size_t, std::vector<Id>> values_;
};

/// The buffers of one run: outputs, then inputs.
class Buffers {
 public:
  explicit Buffers(uint64_t seed) {
    std::mt19937_64 random(seed);
    for (size_t t = 0; t < 2 * kTypeCount; ++t) {
      const DType dtype = kTypes[t % kTypeCount];
      auto& bytes = bytes_.emplace_back(static_cast<size_t>(kSize * dtype.bytes()));
      for (int64_t k = 0; k < kSize; ++k) {
        const uint64_t bits = memory_bits(dtype, random_value(dtype, random));
        std::memcpy(bytes.data() + k * dtype.bytes(), &bits, static_cast<size_t>(dtype.bytes()));
      }
    }
  }
  void run(const Program& program) {
    std::vector<void*> pointers;
    for (auto& bytes : bytes_) pointers.push_back(bytes.data());
    program.launch(pointers, {}, {});
  }
  Value output(size_t t, int64_t k) const {
    const DType dtype = kTypes[t];
    uint64_t bits = 0;
    std::memcpy(&bits, bytes_[t].data() + k * dtype.bytes(), static_cast<size_t>(dtype.bytes()));
    return from_memory_bits(dtype, bits);
  }

 private:
  static Value random_value(DType dtype, std::mt19937_64& random) {
    const auto bits = static_cast<int64_t>(random());
    if (!dtype.is_float()) return Value::of_int(wrap_to(dtype, random() % 2 ? bits : bits % 20));
    if (random() % 4 == 0) return from_memory_bits(dtype, static_cast<uint64_t>(bits));
    return Value::of_float(static_cast<double>(bits % 1000) / 8);
  }

  std::vector<std::vector<uint8_t>> bytes_;
};

void expect_same(const Buffers& expected, const Buffers& actual, const std::string& what) {
  for (size_t t = 0; t < kTypeCount; ++t) {
    for (int64_t k = 0; k < kSize; ++k) {
      const Value a = expected.output(t, k), b = actual.output(t, k);
      const bool both_nan =
          kTypes[t].is_float() && std::isnan(a.as_float()) && std::isnan(b.as_float());
      ASSERT_TRUE(both_nan || a == b) << what << ": " << name(kTypes[t]) << " element " << k
                                      << " is " << b.bits << " instead of " << a.bits;
    }
  }
}

Target avx2_target() {
  Target target = generic_x86_64();
  target.cpu = "x86-64-v3";
  target.vector_bits = 256;
  return target;
}

/// The host, and older machines whose programs it runs.
std::vector<Target> runnable_targets() {
  std::vector<Target> targets = {host_target(), generic_host()};
  if (host_target().features.find("+avx2") != std::string::npos) targets.push_back(avx2_target());
  return targets;
}

void check_random_kernel(uint64_t seed, int lanes) {
  const LoweredKernel kernel = RandomKernel(seed, lanes).make(60);
  Buffers expected(seed);
  expected.run(*make_interpreted(kernel));
  for (const Target& target : runnable_targets()) {
    Buffers actual(seed);
    actual.run(*compiled(kernel, target));
    expect_same(expected, actual, str("seed ", seed, ", ", lanes, " lanes, ", target.cpu));
  }
  // Nobody here can run it, but every relocation has to be one that the loader knows.
  const LoadedObject foreign(compile_llvm(render_llvm(kernel, generic_stranger())));
  EXPECT_NE(foreign.function(kernel.name), nullptr);
}

TEST(LlvmAgreesWithInterpreter, OnRandomKernelsFuzz) {
  const uint64_t seed = std::random_device{}();
  std::cout << "seed " << seed << "\n";
  for (uint64_t round = 0; round < 20 && !HasFailure(); ++round)
    for (int lanes : {1, 4, 16}) check_random_kernel(seed + round, lanes);
}

}  // namespace
}  // namespace loom
