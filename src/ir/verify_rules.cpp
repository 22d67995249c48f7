#include "ir/verify_rules.h"

#include <algorithm>

#include "ir/build.h"
#include "ir/evaluate.h"

namespace loom {
namespace {

// --- Which ops occur where. ---

constexpr uint8_t kT = 1, kR = 2, kK = 4, kL = 8, kAll = kT | kR | kK | kL;

uint8_t stages_of(Op op) {
  if (is_elementwise(op)) return kAll;
  if (is_view(op)) return kT | kR;
  switch (op) {
    case Op::kConst:
    case Op::kVariable:
    case Op::kRange:
    case Op::kIndex:
    case Op::kStore:
    case Op::kAfter:
    case Op::kCustom: return kAll;
    case Op::kBuffer:
    case Op::kBind:
    case Op::kDevice:
    case Op::kContiguous:
    case Op::kCopy:
    case Op::kTuple:
    case Op::kGetTuple: return kT | kR;
    case Op::kKernel:
    case Op::kCall:
    case Op::kProgram: return kR;
    case Op::kParam:
    case Op::kDefineLocal:
    case Op::kDefineReg:
    case Op::kLoad:
    case Op::kEnd: return kR | kK | kL;
    case Op::kSpecial:
    case Op::kLanes:
    case Op::kBarrier:
    case Op::kVectorize:
    case Op::kLane:
    case Op::kWmma: return kK | kL;
    case Op::kIf:
    case Op::kEndIf: return kL;
    case Op::kGroup: return kAll;
    case Op::kStage: return kR | kK;
    case Op::kLinear: return kR | kL;
    case Op::kReduce:
    case Op::kSink: return kT | kR | kK;
    default: return 0;
  }
}

template <Op... Choices>
bool is(Op op) {
  return ((op == Choices) || ...);
}

bool is_memory(Op op) { return is<Op::kBuffer, Op::kParam, Op::kDefineLocal, Op::kDefineReg>(op); }

// --- Helpers of the rules. ---

// A store can wait for the loads of what it overwrites.
bool can_come_before(const Inspected& n, size_t k) {
  return n.src_dtype(k).is_void() || is<Op::kRange, Op::kLoad>(n.src_op(k));
}

template <class Holds>
bool each_source(const Inspected& n, size_t first, const Holds& holds) {
  for (size_t k = first; k < n.src().size(); k++) {
    if (!holds(k)) return false;
  }
  return true;
}

bool is_reduce_op(int64_t op) {
  return op > 0 && op < kOpCount &&
         is<Op::kAdd, Op::kMul, Op::kMax, Op::kAnd, Op::kOr>(static_cast<Op>(op));
}

// Type that the operands of an ALU op have: of the choices for WHERE.
DType operand_dtype(const Inspected& n) { return n.src_dtype(n.node().op == Op::kWhere ? 1 : 0); }

bool operands_agree(const Inspected& n) {
  return each_source(n, n.node().op == Op::kWhere ? 1 : 0,
                     [&](size_t k) { return n.src_dtype(k).scalar == operand_dtype(n).scalar; });
}

Id memory_of(const Graph& graph, Id id) {
  while (graph.op(id) == Op::kAfter) id = graph.src(id, 0);
  return id;
}

// Elements in a row that a LOAD or STORE of `value` accesses: with an offset per lane, one each.
int64_t elements_in_a_row(const Inspected& n, Id index, DType value) {
  const DType element = n.graph.dtype(index);
  return n.graph.dtype(n.graph.src(index, 1)).lanes > 1
             ? 1
             : value.lanes / std::max<int>(element.lanes, 1);
}

// Does the value depend on what a register holds? Of an accumulator, bounds say nothing: that the
// values it is made of kept an offset in bounds was checked while they were a REDUCE.
bool reads_register(const Graph& graph, Id value) {
  const auto is_register = [&](Id id) {
    return graph.op(id) == Op::kIndex &&
           graph.op(memory_of(graph, graph.src(id, 0))) == Op::kDefineReg;
  };
  return std::ranges::any_of(reachable(graph, value), is_register);
}

bool is_in_bounds(const Graph& graph, Id index, int64_t in_a_row) {
  const std::span<const Id> src = graph.src(index);
  if (src.size() == 3) return true;  // it has a gate
  const Id memory = memory_of(graph, src[0]);
  if (!is_memory(graph.op(memory))) return true;
  // Memory of a symbolic size is allocated for the largest one.
  const int64_t size = graph.bounds(graph.src(memory, 0)).hi;
  return graph.bounds(src[1]).within(0, size - in_a_row) || reads_register(graph, src[1]);
}

// --- The rules. ---

constexpr VerifyRule kCommon[] = {
    {is<Op::kConst>, "a constant is a scalar with a type",
     [](const Inspected& n) { return n.node().lanes == 1 && !n.node().dtype().is_void(); }},
    {is<Op::kConst>, "the value of a constant is in its type",
     [](const Inspected& n) {
       const DType dtype = n.node().dtype();
       if (!dtype.is_float()) return wrap_to(dtype, n.node().arg) == n.node().arg;
       const double value = float_value(n.graph, n.id);
       return value != value || round_to(dtype, value) == value;
     }},
    {is_memory, "the size of memory is an integer",
     [](const Inspected& n) { return n.src_dtype(0).is_int() && n.src_dtype(0).lanes == 1; }},
    {is_memory, "memory holds elements of a type and its number is not negative",
     [](const Inspected& n) { return !n.node().dtype().is_void() && n.node().arg >= 0; }},
    {is<Op::kBuffer>, "its second source is its device",
     [](const Inspected& n) { return n.src().size() == 1 || n.src_op(1) == Op::kDevice; }},
    {is<Op::kVariable>, "a variable has a name and integer limits",
     [](const Inspected& n) {
       return n.node().arg != 0 && n.node().dtype().is_int() && n.src_dtype(0).is_int() &&
              n.src_dtype(1).is_int();
     }},
    {is<Op::kBind>, "a variable is bound to a constant",
     [](const Inspected& n) { return n.src_op(0) == Op::kVariable && n.src_op(1) == Op::kConst; }},
    {is<Op::kRange, Op::kSpecial>, "a loop or launch index and its size are integers",
     [](const Inspected& n) {
       return n.node().dtype().is_int() && n.node().lanes == 1 && n.src_dtype(0).is_int();
     }},
    {is<Op::kRange>, "the axis has a type that exists",
     [](const Inspected& n) { return range_type(n.node().arg) <= AxisType::kDevice; }},
    {is<Op::kCopy>, "a copy names its device",
     [](const Inspected& n) { return n.src_op(1) == Op::kDevice; }},
    {is<Op::kIndex>, "offsets are integers",
     [](const Inspected& n) {
       return each_source(n, 1, [&](size_t k) {
         return n.src_dtype(k).is_int() || (k == 2 && n.src_dtype(k).scalar == Scalar::kBool);
       });
     }},
    {is<Op::kAfter>, "what comes before it are effects, loads or loops",
     [](const Inspected& n) {
       return each_source(n, 1, [&](size_t k) { return can_come_before(n, k); });
     }},
    {is<Op::kEnd>, "it ends an effect and closes ranges",
     [](const Inspected& n) {
       return n.src_dtype(0).is_void() &&
              each_source(n, 1, [&](size_t k) { return n.src_op(k) == Op::kRange; });
     }},
    {is<Op::kGroup, Op::kBarrier>, "it joins effects",
     [](const Inspected& n) {
       return each_source(n, 0, [&](size_t k) { return n.src_dtype(k).is_void(); });
     }},
    {is<Op::kReduce>, "it reduces with ADD, MUL, MAX, AND or OR",
     [](const Inspected& n) {
       const std::span<const int64_t> op = n.graph.ints_of(n.node().arg);
       return !op.empty() && is_reduce_op(op[0]) &&
              is_defined(static_cast<Op>(op[0]), n.node().dtype());
     }},
    {is_alu, "the op exists for the type of its sources",
     [](const Inspected& n) { return is_defined(n.node().op, operand_dtype(n)); }},
    {is_alu, "its sources have the same type", operands_agree},
    {is<Op::kWhere>, "the condition is a bool",
     [](const Inspected& n) { return n.src_dtype(0).scalar == Scalar::kBool; }},
    {is_elementwise, "its sources have as many lanes as it",
     [](const Inspected& n) {
       return each_source(n, 0, [&](size_t k) { return n.src_dtype(k).lanes == n.node().lanes; });
     }},
    {is<Op::kCast, Op::kBitcast>, "it converts a value to a value",
     [](const Inspected& n) { return !n.node().dtype().is_void() && !n.src_dtype(0).is_void(); }},
    {is<Op::kBitcast>, "both types are equally wide",
     [](const Inspected& n) { return n.node().dtype().bits() == n.src_dtype(0).bits(); }},
    {is<Op::kGetTuple>, "it takes a value of a tuple",
     [](const Inspected& n) {
       if (n.src_op(0) != Op::kTuple) return n.src_op(0) == Op::kCall || n.src_op(0) == Op::kCustom;
       const std::span<const Id> values = n.graph.src(n.src(0));
       return n.node().arg >= 0 && n.node().arg < std::ssize(values) &&
              n.graph.dtype(values[n.node().arg]) == n.node().dtype();
     }},
};

constexpr VerifyRule kTensor[] = {
    {[](Op) { return true; }, "tensors have scalar types",
     [](const Inspected& n) { return n.node().lanes == 1; }},
    {is<Op::kReshape, Op::kExpand, Op::kPad, Op::kShrink>, "dimensions are of type index",
     [](const Inspected& n) {
       return each_source(n, 1, [&](size_t k) { return n.src_dtype(k) == kIndex; });
     }},
    {is<Op::kIndex>, "there is one index tensor for each axis, all of one shape",
     [](const Inspected& n) {
       const size_t rank = n.graph.shape(n.src(0)).size();
       return n.src().size() == rank + 1 && each_source(n, 2, [&](size_t k) {
                return std::ranges::equal(n.graph.shape(n.src(k)), n.graph.shape(n.src(1)));
              });
     }},
    {is<Op::kStore>, "the value has the type and shape of the target, or is a scalar",
     [](const Inspected& n) {
       const std::span<const Id> value = n.graph.shape(n.src(1));
       return n.src_dtype(0) == n.src_dtype(1) &&
              (value.empty() || std::ranges::equal(value, n.graph.shape(n.src(0))));
     }},
    {is<Op::kReduce>, "a tensor's axes are reduced, not ranges",
     [](const Inspected& n) { return n.src().size() == 1; }},
};

constexpr VerifyRule kKernel[] = {
    {is<Op::kIndex>, "it addresses memory by an offset and perhaps a gate",
     [](const Inspected& n) {
       const size_t count = n.src().size();
       const bool has_gate = count == 3 && n.src_dtype(2).scalar == Scalar::kBool;
       return is_memory(n.graph.op(memory_of(n.graph, n.src(0)))) && (count == 2 || has_gate);
     }},
    {is<Op::kIndex>, "the offset is in bounds, or there is a gate",
     [](const Inspected& n) { return is_in_bounds(n.graph, n.id, 1); }},
    {is<Op::kLoad>, "it reads from an INDEX",
     [](const Inspected& n) { return n.src_op(0) == Op::kIndex; }},
    {is<Op::kLoad>, "it has its memory's type",
     [](const Inspected& n) { return n.node().scalar == n.src_dtype(0).scalar; }},
    {is<Op::kLoad>, "a gated read has an alternative of the same type, and only that",
     [](const Inspected& n) {
       if (n.src().size() == 1) return n.graph.src(n.src(0)).size() == 2;
       const DType alternative = n.src_dtype(1);
       const bool fits = alternative.lanes == 1 || alternative.lanes == n.node().lanes;
       return fits && alternative.scalar == n.node().scalar && n.graph.src(n.src(0)).size() == 3;
     }},
    {is<Op::kLoad>, "all the elements it reads are in bounds, or there is a gate",
     [](const Inspected& n) {
       return is_in_bounds(n.graph, n.src(0), elements_in_a_row(n, n.src(0), n.node().dtype()));
     }},
    {is<Op::kStore>, "it writes a value of the memory's type to an INDEX",
     [](const Inspected& n) {
       return n.src_op(0) == Op::kIndex && n.src_dtype(0).scalar == n.src_dtype(1).scalar;
     }},
    {is<Op::kStore>, "all the elements it writes are in bounds, or there is a gate",
     [](const Inspected& n) {
       return is_in_bounds(n.graph, n.src(0), elements_in_a_row(n, n.src(0), n.src_dtype(1)));
     }},
    {is<Op::kReduce>, "it closes ranges",
     [](const Inspected& n) {
       return each_source(n, 1, [&](size_t k) { return n.src_op(k) == Op::kRange; });
     }},
    {is<Op::kSpecial>, "the launch index exists",
     [](const Inspected& n) { return special_kind(n.node().arg) <= SpecialKind::kThreadId; }},
    {is<Op::kLanes>, "it is a vector of integers",
     [](const Inspected& n) { return n.node().lanes > 1 && n.node().dtype().is_int(); }},
    {is<Op::kVectorize>, "its sources are one scalar, or one for each lane",
     [](const Inspected& n) {
       const size_t count = n.src().size();
       return (count == 1 || count == n.node().lanes) && each_source(n, 0, [&](size_t k) {
                return n.src_dtype(k) == n.node().dtype().element();
              });
     }},
    {is<Op::kLane>, "the lane exists and has the vector's type",
     [](const Inspected& n) {
       return n.node().arg >= 0 && n.node().arg < n.src_dtype(0).lanes &&
              n.node().dtype() == n.src_dtype(0).element();
     }},
    {is<Op::kIf>, "the condition is a bool",
     [](const Inspected& n) { return n.src_dtype(0) == kBool; }},
    {is<Op::kEndIf>, "it closes an IF", [](const Inspected& n) { return n.src_op(0) == Op::kIf; }},
    {is<Op::kSink>, "it takes effects",
     [](const Inspected& n) {
       return each_source(n, 0, [&](size_t k) { return n.src_dtype(k).is_void(); });
     }},
};

}  // namespace

bool is_allowed(Op op, Stage stage) { return (stages_of(op) >> static_cast<int>(stage) & 1) != 0; }

std::span<const VerifyRule> verify_common_rules() { return kCommon; }
std::span<const VerifyRule> verify_tensor_rules() { return kTensor; }
std::span<const VerifyRule> verify_kernel_rules() { return kKernel; }

}  // namespace loom
