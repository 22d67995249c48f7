// Kernels in LLVM text that the tests of this room compile.
#pragma once
#include <string>

#include "base/target.h"

namespace loom {

/// A module for `arch`, which is the host's unless the test says otherwise.
inline std::string module_for(const std::string& arch, const std::string& body) {
  return "target triple = \"" + arch + "-unknown-linux-gnu\"\n" + body;
}

/// buffers[0][thread] = thread + variables[0]
inline const std::string kThreadNumbers = module_for(host_target().arch, R"(
define void @numbers(ptr %buffers, ptr %variables, i64 %thread) nounwind {
  %out = load ptr, ptr %buffers
  %first = load i64, ptr %variables
  %value = add i64 %first, %thread
  %address = getelementptr i64, ptr %out, i64 %thread
  store i64 %value, ptr %address
  ret void
}
)");

/// Needs a table of constants, memcpy, and fmaf on machines without the instruction:
/// buffers[0][0..3] = buffers[1][0..3] * table + 1, buffers[2] = a copy of 4096 bytes of
/// buffers[1].
inline const std::string kTableAndCalls = R"(
define void @calls(ptr %buffers, ptr %variables, i64 %thread) nounwind {
  %out = load ptr, ptr %buffers
  %at1 = getelementptr ptr, ptr %buffers, i64 1
  %in = load ptr, ptr %at1
  %at2 = getelementptr ptr, ptr %buffers, i64 2
  %copy = load ptr, ptr %at2
  %x = load <4 x float>, ptr %in, align 4
  %y = call <4 x float> @llvm.fma.v4f32(<4 x float> %x,
      <4 x float> <float 2.0, float 3.0, float 5.0, float 7.0>, <4 x float> splat (float 1.0))
  store <4 x float> %y, ptr %out, align 4
  call void @llvm.memcpy.p0.p0.i64(ptr %copy, ptr %in, i64 4096, i1 false)
  ret void
}
)";

}  // namespace loom
