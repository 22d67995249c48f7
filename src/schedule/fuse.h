// From tensors to kernels, first sweep: which values get a buffer and a kernel of their own, and at
// which places each kernel asks for the others.
//
// In:  the tensor graph and its facts.
// Out: kernels and instances. An instance is one (node, kernel, place): every distinct value that a
//      node has to deliver. Nodes are visited in descending order, so that all who ask for a node
//      have been visited before it; nothing here recurses.
#pragma once
#include <unordered_map>
#include <vector>

#include "schedule/facts.h"
#include "schedule/place.h"

namespace loom {

struct Instance {
  Id node = 0;
  uint32_t kernel = 0;
  Id place = 0;               // interned; of a BUFFER or an AFTER: one flat index
  Id buffer = 0;              // BUFFER to load it from; 0: it is computed here
  uint32_t first_source = 0;  // in Fusion::sources: one instance per source that is asked for
  Id extra = 0;            // REDUCE: TUPLE of its ranges; PAD and INDEX: where the value is not 0
  bool forwarded = false;  // the value of its only source: computed by another output of the kernel
};

/// A store into memory: to a fresh buffer, or over an earlier version of an assigned one.
struct Output {
  Id buffer = 0;       // BUFFER
  Id version = 0;      // the content that is written over: BUFFER or AFTER; 0 for a fresh buffer
  Place offset{};      // one index into the buffer, and a gate
  uint32_t value = 0;  // instance
};

struct Kernel {
  Id node = 0;    // the tensor node it stores (a computed value, or the value of a STORE)
  Id effect = 0;  // the STORE that it is, or 0
  Id device = 0;
  std::vector<Id> loops{};  // LOOP ranges
  std::vector<Output> outputs{};
  Id copy_from = 0;    // a COPY between devices: the BUFFER or AFTER it reads; no outputs' value
  Id contraction = 0;  // the one contraction that is fused into it
  uint32_t reductions = 0;       // REDUCEs that are fused into it
  uint32_t nodes = 0;            // values that are computed in it
  double work = 1;               // iterations of its deepest loop nest
  std::vector<double> extent{};  // iterations of the loops up to and including the k-th
};

/// What a placeholder for an index stands for: the value of an instance, in [0, size) where it
/// matters.
struct GatheredIndex {
  uint32_t instance = 0;
  Id size = 0;
};

struct Fusion {
  std::vector<Kernel> kernels;
  std::vector<Instance> instances;
  std::vector<uint32_t> sources;            // instances
  std::vector<uint32_t> order;              // instances, users before sources
  std::unordered_map<Id, Id> storage;       // computed node -> the BUFFER that holds it
  std::unordered_map<Id, uint32_t> writer;  // that BUFFER, or a STORE -> the kernel that writes it
  std::unordered_map<int64_t, GatheredIndex>
      gathered;                       // by the argument of the placeholder, a CUSTOM
  std::vector<double> reduce_extent;  // by REDUCE axis: iterations up to and including it
  int64_t temp_count = 0;
};

/// Axis number of the first REDUCE range while kernels are in the making: unique in all of them.
inline constexpr int64_t kFirstReduceAxis = 1 << 20;
inline constexpr uint32_t kNoKernel = UINT32_MAX;  // of instances that are the same everywhere

Fusion fuse(Graph& g, Id sink, std::vector<Facts>& facts, Indexer& indexer);

/// A kernel with one LOOP range per axis of `shape` longer than 1; `index` gets one entry per axis.
Kernel loop_over(Graph& g, std::span<const Id> shape, std::vector<Id>& index);
/// A new intermediate BUFFER.
Id temporary(Graph& g, Fusion& fusion, DType dtype, Id size, Id device);

}  // namespace loom
