// Renderers: a linear program as text. They decide nothing; what they cannot say is lowered before.
#pragma once
#include <string>

#include "base/target.h"
#include "codegen/codegen.h"

namespace loom {

/// LLVM IR of `void NAME(ptr %buffers, ptr %variables, i64 %thread)`, a module by itself.
std::string render_llvm(const LoweredKernel& kernel, const Target& target);

}  // namespace loom
