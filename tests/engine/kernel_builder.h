// Linear programs written by hand, and ways to run them: what tests of devices start from.
#pragma once
#include <cstring>
#include <vector>

#include "codegen/codegen.h"
#include "codegen/render/render.h"
#include "engine/interp.h"
#include "ir/build.h"
#include "ir/evaluate.h"
#include "runtime/cpu/cpu_device.h"
#include "runtime/cpu/elf_loader.h"
#include "runtime/cpu/llvm_compiler.h"

namespace loom {

/// Nodes in the order in which they are made. `g` makes nodes without a place in it: constants,
/// addresses.
struct KernelBuilder {
  Graph g;
  std::vector<Id> order;
  int64_t threads = 1;

  Id put(Id node) {
    order.push_back(node);
    return node;
  }
  Id param(int64_t slot, DType dtype, int64_t size) {
    return g.add(Op::kParam, dtype, {index_const(g, size)}, slot);
  }
  Id reg(int64_t id, DType dtype, int64_t size) {
    return put(g.add(Op::kDefineReg, dtype, {index_const(g, size)}, id));
  }
  Id load_at(Id buffer, Id offset, int lanes = 1, Id gate = 0, Id alternative = 0) {
    const Id address = index(g, buffer, offset, gate);
    const DType dtype = g.dtype(buffer).element().vec(lanes);
    if (alternative == 0) return put(g.add(Op::kLoad, dtype, {address}));
    return put(g.add(Op::kLoad, dtype, {address, alternative}));
  }
  void store_at(Id buffer, Id offset, Id value, Id gate = 0) {
    put(g.add(Op::kStore, kVoid, {index(g, buffer, offset, gate), value}));
  }
  Id loop(int64_t size, int64_t axis) { return put(range(g, size, axis, AxisType::kLoop)); }
  void end(Id effect, Id range) { put(g.add(Op::kEnd, kVoid, {effect, range})); }

  LoweredKernel finish(std::vector<std::string> variables = {}) {
    LoweredKernel kernel;
    kernel.linear = g.add(Op::kLinear, kVoid, order);
    kernel.graph = std::move(g);
    kernel.name = "test_kernel";
    kernel.threads = threads;
    kernel.variables = std::move(variables);
    return kernel;
  }
};

/// A CPU device without a disk cache.
inline Device& cpu() {
  static const std::unique_ptr<Device> device = [] {
    Settings settings;
    settings.no_cache = true;
    settings.threads = 2;
    return open_cpu(settings);
  }();
  return *device;
}

inline bool is_arm() { return host_target().arch == "aarch64"; }
/// Any machine of the host's architecture, and any of the other one.
inline Target generic_host() { return is_arm() ? generic_arm64() : generic_x86_64(); }
inline Target generic_stranger() { return is_arm() ? generic_x86_64() : generic_arm64(); }

/// Compiled for `target`, which must be the host or an older machine of its kind.
inline std::unique_ptr<Program> compiled(const LoweredKernel& kernel,
                                         const Target& target = host_target()) {
  return cpu().load(cpu().compile(render_llvm(kernel, target), kernel.name), kernel.name);
}

/// Runs a program on buffers given as vectors.
template <class... Vectors>
void run(const Program& program, Vectors&... buffers) {
  void* const pointers[] = {buffers.data()...};
  program.launch(pointers, {}, {});
}

}  // namespace loom
