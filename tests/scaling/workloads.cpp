#include "tests/scaling/workloads.h"

#include "codegen/codegen.h"
#include "ir/text.h"
#include "ir/verify.h"
#include "rewrite/rules/symbolic.h"
#include "schedule/schedule.h"
#include "tests/codegen/kernels.h"
#include "tests/oracle/networks.h"

namespace loom::testing {
namespace {

using namespace oracle;

// --- Inputs ---

/// A chain of views, reductions and arithmetic with `nodes` nodes.
Id tensor_chain(Graph& g, int nodes) {
  const Id eight = index_const(g, 8), one = index_const(g, 1);
  const Id matrix[] = {g.add(Op::kBuffer, kFloat32, {index_const(g, 64)}, 0), eight, eight};
  Id x = g.add(Op::kReshape, kFloat32, matrix);
  while (g.size() < static_cast<size_t>(nodes)) {
    const Id sum = g.add(Op::kReduce, kFloat32, {x}, g.ints({static_cast<int64_t>(Op::kAdd), 1}));
    const Id expanded[] = {sum, eight, eight};
    const Id padded[] = {x, one, one, one, one};
    const Id cut[] = {g.add(Op::kPad, kFloat32, padded), one, one, eight, eight};
    x = add(g, g.add(Op::kExpand, kFloat32, expanded), g.add(Op::kShrink, kFloat32, cut));
    x = mul(g, x, constant(g, kFloat32, static_cast<double>(g.size())));
  }
  return x;
}

/// Index arithmetic in which most nodes rewrite.
Id index_sums(Graph& g, int count) {
  constexpr int kRanges = 24;
  Id total = range(g, 1000, 0, AxisType::kLoop);
  for (int k = 1; k < count; k++) {
    const Id r = range(g, 1000, k % kRanges, AxisType::kLoop), q = index_const(g, k + 2);
    const Id parts = add(g, mul(g, binary(g, Op::kIDiv, r, q), q), binary(g, Op::kMod, r, q));
    total = add(g, total, add(g, mul(g, parts, q), mul(g, q, r)));
  }
  return total;
}

Id deep_chain(Graph& g, int length) {
  Id x = buffer(g, kFloat32, 0, {64});
  for (int k = 0; k < length; k++) x = unary(g, k % 2 ? Op::kSqrt : Op::kNeg, x);
  return realize(g, {x});
}

Id many_matmuls(Graph& g, int count) {
  Id x = buffer(g, kFloat32, 0, {8, 8});
  for (int k = 1; k <= count; k++) x = relu(g, matmul(g, x, buffer(g, kFloat32, k, {8, 8})));
  return realize(g, {x});
}

Id many_layers(Graph& g, int count) {
  Id x = buffer(g, kFloat32, 0, {4, 8});
  int64_t slot = 1;
  for (int k = 0; k < count; k++) {
    const Id normal =
        layer_norm(g, x, buffer(g, kFloat32, slot, {8}), buffer(g, kFloat32, slot + 1, {8}));
    const Id scores = softmax(g, matmul(g, normal, buffer(g, kFloat32, slot + 2, {8, 8})), 1);
    x = add(g, x, matmul(g, scores, buffer(g, kFloat32, slot + 3, {8, 8})));
    slot += 4;
  }
  return realize(g, {x});
}

Id long_view_chain(Graph& g, int length) {
  Id x = buffer(g, kFloat32, 0, {8, 8});
  for (int k = 0; k < length; k++) x = flip(g, permute(g, x, {1, 0}), 1);
  return realize(g, {x});
}

Id many_assignments(Graph& g, int count) {
  Id x = buffer(g, kFloat32, 0, {8});
  for (int k = 0; k < count; k++) x = assign(g, x, add(g, x, number(g, k)));
  return realize(g, {x});
}

Id many_readers(Graph& g, int count) {
  const Id x = contiguous(g, unary(g, Op::kNeg, buffer(g, kFloat32, 0, {8, 8})));
  std::vector<Id> values;
  for (int k = 0; k < count; k++)
    values.push_back(reduce_axes(g, Op::kAdd, mul(g, x, number(g, k)), {k % 2}));
  return realize(g, values);
}

Id many_slices(Graph& g, int count) {
  const Id x = buffer(g, kFloat32, 0, {count + 4});
  Id total = shrink(g, x, {0}, {4});
  for (int k = 1; k < count; k++) total = add(g, total, shrink(g, x, {k}, {4}));
  return realize(g, {total});
}

/// A kernel that does `depth` operations one after the other.
Id long_kernel(Graph& g, int depth) {
  KernelBuilder k(g);
  const Id y = k.buffer(kInt32, 64), x = k.buffer(kInt32, 64), i = k.loop(64);
  Id value = k.read(x, i);
  for (int n = 0; n < depth; n++)
    value = binary(g, n % 2 == 0 ? Op::kXor : Op::kMul, value, k.read(x, i));
  return k.sink({k.write(y, i, value, {i})});
}

// --- Work ---

void build_again(Graph& g, Id) {
  Graph copy;
  tensor_chain(copy, static_cast<int>(g.size()));
}
void find_bounds(Graph& g, Id root) { g.bounds(root); }
void find_ranges(Graph& g, Id root) { g.ranges(root); }
void import_all(Graph& g, Id root) {
  Graph copy;
  import(copy, g, root);
}
void hash_structure(Graph& g, Id root) { structural_hash(g, root); }
void print_and_parse(Graph& g, Id root) { parse(print(g, root)); }
void verify_tensors(Graph& g, Id root) { verify(g, root, Stage::kTensor); }
void simplify_all(Graph& g, Id root) { simplify(g, root); }
void schedule_all(Graph& g, Id root) { schedule(g, root); }
void lower(Graph& g, Id root) { lower_kernel(g, root, generic_x86_64()); }

constexpr Workload kWorkloads[] = {
    {"build", 3000, tensor_chain, build_again},
    {"bounds", 3000, tensor_chain, find_bounds},
    {"ranges", 3000, index_sums, find_ranges},
    {"import", 3000, tensor_chain, import_all},
    {"structural_hash", 3000, tensor_chain, hash_structure},
    {"print and parse", 1000, tensor_chain, print_and_parse},
    {"verify", 3000, tensor_chain, verify_tensors},
    {"simplify", 300, index_sums, simplify_all},
    {"schedule a deep chain", 300, deep_chain, schedule_all},
    {"schedule products", 100, many_matmuls, schedule_all},
    {"schedule layers", 30, many_layers, schedule_all},
    {"schedule views", 300, long_view_chain, schedule_all},
    {"schedule assignments", 100, many_assignments, schedule_all},
    {"schedule readers", 100, many_readers, schedule_all},
    {"schedule slices", 100, many_slices, schedule_all},
    {"lower a kernel", 300, long_kernel, lower},
};

}  // namespace

std::span<const Workload> workloads() { return kWorkloads; }

}  // namespace loom::testing
