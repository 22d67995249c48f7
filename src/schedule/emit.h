// One kernel, out of the big graph into a small one of its own and into kernel form: placeholders
// of gathers get their values, versions of buffers become PARAMs, and what is left is simplified
// there, where every pass costs only the size of this kernel.
#pragma once
#include "schedule/fuse.h"

namespace loom {

/// A launch-time value of a variable: BIND in the big graph, VARIABLE in the kernel's.
struct Binding {
  Id bind = 0, variable = 0;
};

struct EmittedKernel {
  Graph graph = Graph();
  Id sink = 0;
  std::vector<Id> buffers;  // in the big graph; PARAM slot k is the k-th
  std::vector<Binding> bindings;
};

class Emitter {
 public:
  Emitter(const Graph& g, const std::vector<Facts>& facts, const Fusion& fusion,
          std::span<const Id> values);
  EmittedKernel emit(const Kernel& kernel);

 private:
  Id copy(Id root);
  bool push_missing(Id id);
  Id copy_one(Id id);
  Id placeholder_value(Id id) const;
  Id parameter(Id version);
  Id done(Id id) const;

  const Graph& g;
  const std::vector<Facts>& facts;
  const Fusion& fusion;
  std::span<const Id> values;
  EmittedKernel out;
  std::unordered_map<Id, int64_t> slots;  // of the buffers in `out`
  std::vector<Id> copies;                 // by id of g; valid where `stamp` is the current one
  std::vector<uint32_t> stamps;
  uint32_t stamp = 0;
  std::vector<Id> stack;
};

}  // namespace loom
