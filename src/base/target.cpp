#include "base/target.h"

namespace loom {

Target generic_x86_64() {
  Target target;
  target.arch = "x86_64";
  target.cpu = "x86-64";
  return target;
}

Target generic_arm64() {
  Target target;
  target.arch = "aarch64";
  target.cpu = "generic";
  target.features = "+neon";
  target.vector_registers = 32;
  target.has_fma = true;
  target.has_half_conversions = true;
  return target;
}

}  // namespace loom
