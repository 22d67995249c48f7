// LLVM as a function from text to machine code; llvm_compiler.cpp is the only file that knows LLVM.
//
// In:  one LLVM module in text that names its target: a triple, and the CPU and its features as
//      attributes of its functions.
// Out: a relocatable ELF object.
//
// Kernels come vectorised and unrolled: LLVM promotes memory to registers and selects instructions.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

namespace loom {

/// Thread-safe. Throws DeviceError with LLVM's message.
std::vector<uint8_t> compile_llvm(std::string_view text);

/// Changes when the same text may give another object: for keys of caches.
std::string_view llvm_compiler_version();

}  // namespace loom
