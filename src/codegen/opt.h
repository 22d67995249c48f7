// An opt: one decision about the loops of a kernel, applied as a rewrite of its ranges.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace loom {

enum class OptOp : uint8_t {
  kUpcast,    // split an output axis, keep `amount` copies in registers
  kVector,    // split an axis, `amount` lanes of it become a vector
  kUnroll,    // split a reduced axis, `amount` steps per iteration
  kThread,    // split an output axis into `amount` chunks for the thread pool
  kLocal,     // split an output axis over a work-group
  kGroup,     // split a reduced axis over a work-group (inner part)
  kGroupTop,  // the same, outer part
  kPadTo,     // round an axis up to a multiple of `amount`, masking the rest
  kSwap,      // exchange the nesting order of axis and `amount` (another axis)
  kNoLocals,  // do not use work-group memory
  kTensorCore,
  kPack,  // stage what parameter `amount` gives to every turn of a loop into LOCAL memory
};

struct Opt {
  OptOp op = OptOp::kUpcast;
  int axis = 0;        // position among the kernel's ranges in nesting order, when it is applied
  int64_t amount = 0;  // 0: the whole axis

  bool operator==(const Opt&) const = default;
};

std::string_view name(OptOp op);
/// "UPCAST(1, 4)".
std::string name(const Opt& opt);

}  // namespace loom
