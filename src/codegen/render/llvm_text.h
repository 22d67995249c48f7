// Pieces of LLVM IR as text: types, constants, and the lines of a function under construction.
#pragma once
#include <string>
#include <string_view>

#include "ir/dtype.h"

namespace loom {

/// The type of a value in registers: "float", "<16 x i1>". Bool is i1, bfloat16 is its bits.
std::string llvm_type(DType dtype);
/// The type of a value in memory: as in registers, but bool is i8, 0 or 1.
std::string llvm_memory_type(DType dtype);
/// How names of intrinsics spell a type: "v16f32".
std::string llvm_mangled(DType dtype);
/// The constant whose CONST node has the argument `arg`; the same in every lane of a vector.
std::string llvm_constant(DType dtype, int64_t arg);
/// The constant one of a float type.
std::string llvm_one(DType dtype);

/// Lines of a function. Each instruction with a result defines the next name: "%t0", "%t1".
class LlvmLines {
 public:
  explicit LlvmLines(std::string_view prefix) : prefix_(prefix) {}

  template <class... Parts>
  void line(const Parts&... parts) {
    text_ += "  ";
    (text_.append(parts), ...);
    text_ += '\n';
  }
  template <class... Parts>
  std::string define(const Parts&... parts) {
    std::string name = prefix_ + std::to_string(defined_++);
    line(name, " = ", parts...);
    return name;
  }
  void label(std::string_view name) { text_.append(name).append(":\n"); }
  const std::string& text() const { return text_; }

 private:
  std::string prefix_, text_;
  int defined_ = 0;
};

}  // namespace loom
