// INTERP, the device that executes linear programs directly: slow, obviously right, the oracle for
// every other device.
#pragma once
#include <memory>

#include "codegen/codegen.h"
#include "runtime/device.h"

namespace loom {

/// A program whose launch() walks the kernel's linear program, lane by lane, with every operation
/// as evaluate() defines it. Throws InternalError for a kernel that is not in linear form; so does
/// its launch(), naming the node, for an access outside its buffer.
std::unique_ptr<Program> make_interpreted(const LoweredKernel& kernel);

/// Host memory and no compiler: its programs come from make_interpreted.
std::unique_ptr<Device> open_interpreter();

}  // namespace loom
