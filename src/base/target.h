#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace loom {

/// A matrix unit multiplies an m x k tile by a k x n tile and adds it to an m x n tile (an AMX
/// tile, a tensor core).
struct MatrixUnit {
  std::string name;
  int m = 0, n = 0, k = 0;
  std::string in;   // dtype of the factors, by name
  std::string acc;  // dtype of the sum, by name

  bool operator==(const MatrixUnit&) const = default;
};

/// What the compiler may know of a machine: plain numbers, no device. Code is chosen from it and
/// from nothing else, so a kernel for another machine can be compiled and looked at anywhere.
struct Target {
  std::string arch;      // "x86_64", "aarch64"
  std::string cpu;       // LLVM's name of the CPU or of its level, "x86-64-v4"
  std::string features;  // LLVM's feature list, "+avx2,+fma,..."

  int vector_bits = 128;  // width of one vector register
  int vector_registers = 16;
  bool has_fma = false;               // fused multiply-add in hardware
  bool has_half_conversions = false;  // float16 to and from float32 in hardware
  std::vector<MatrixUnit> matrix_units;

  int64_t l1_bytes = 32 << 10;  // data caches; l1 and l2 of one core, l3 shared
  int64_t l2_bytes = 512 << 10;
  int64_t l3_bytes = 4 << 20;
  int threads = 1;  // that may run at once

  bool has_local = false;  // memory shared by a work-group
  int64_t local_bytes = 0;
  std::array<int64_t, 3> max_global = {1, 1, 1};  // launch dimensions of GPU-like targets
  std::array<int64_t, 3> max_local = {1, 1, 1};

  bool operator==(const Target&) const = default;
};

/// The machine this process runs on, looked at once.
const Target& host_target();

/// Any 64-bit x86: SSE2 and nothing else.
Target generic_x86_64();

/// Any 64-bit ARM: NEON and fused multiply-add.
Target generic_arm64();

}  // namespace loom
