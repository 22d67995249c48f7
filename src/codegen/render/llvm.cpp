// A linear program as one LLVM module with one function.
//
// In:  a LoweredKernel: loops bracketed by RANGE and END, values of types that LLVM knows.
// Out: text that LLVM parses.
//
// It decides nothing: each node is written as it stands, by the functions here and the table in
// llvm_alu.cpp. Bool is i1 in registers and a byte in memory; bfloat16 is its bits.
//
// Buffers are known to be aligned as their elements are. A gated scalar access goes to the buffer
// or, where the gate is false, to a scratch place on the stack; there is no branch. Gated vector
// accesses are masked ones.
#include <algorithm>

#include "base/error.h"
#include "codegen/render/llvm_alu.h"
#include "codegen/render/llvm_text.h"
#include "codegen/render/render.h"
#include "ir/build.h"

namespace loom {
namespace {

class LlvmRenderer {
 public:
  LlvmRenderer(const LoweredKernel& kernel, const Target& target)
      : kernel_(kernel), target_(target), g_(kernel.graph), names_(kernel.graph.size()) {}

  std::string module() {
    for (Id id : reachable(g_, kernel_.linear)) write_leaf(id);
    for (Id id : g_.src(kernel_.linear)) write_node(id);
    return header() + entry_.text() + body_.text() + "  ret void\n}\n\n" + attributes();
  }

 private:
  // --- The frame ---

  std::string header() const {
    return "target triple = \"" + target_.arch + "-unknown-linux-gnu\"\n\ndefine void @" +
           kernel_.name +
           "(ptr noalias %buffers, ptr noalias %variables, i64 %thread) #0 {\nentry:\n";
  }

  std::string attributes() const {
    std::string text =
        "attributes #0 = { nounwind \"no-builtins\" \"target-cpu\"=\"" + target_.cpu + "\"";
    if (!target_.features.empty()) text += " \"target-features\"=\"" + target_.features + "\"";
    if (target_.vector_bits >= 512) text += " \"prefer-vector-width\"=\"512\"";
    return text + " }\n";
  }

  /// Nodes without a place in the order: constants, and what the function's entry prepares.
  void write_leaf(Id id) {
    const Node& node = g_[id];
    switch (node.op) {
      case Op::kConst: names_[id] = llvm_constant(node.dtype(), node.arg); break;
      case Op::kLanes: names_[id] = lanes(node.dtype()); break;
      case Op::kParam: names_[id] = argument("%buffers", "ptr", node.arg); break;
      case Op::kVariable:
        names_[id] = narrowed(argument("%variables", "i64", variable_position(id)), id);
        break;
      case Op::kSpecial: names_[id] = narrowed("%thread", id); break;
      case Op::kDefineReg:
      case Op::kDefineLocal: names_[id] = memory_on_stack(id); break;
      default: break;
    }
  }

  std::string argument(std::string_view table, std::string_view type, int64_t position) {
    const std::string address =
        entry_.define("getelementptr ", type, ", ptr ", table, ", i64 ", std::to_string(position));
    return entry_.define("load ", type, ", ptr ", address, ", align 8");
  }

  int64_t variable_position(Id id) const {
    const auto& all = kernel_.variables;
    const auto found = std::find(all.begin(), all.end(), g_.text_of(g_.arg(id)));
    require(found != all.end(), "variable ", g_.text_of(g_.arg(id)), " is not among the kernel's");
    return found - all.begin();
  }

  std::string narrowed(std::string_view value, Id id) {
    if (g_.dtype(id).bits() == 64) return std::string(value);
    return entry_.define("trunc i64 ", value, " to ", llvm_type(g_.dtype(id)));
  }

  std::string memory_on_stack(Id id) {
    const std::string type = llvm_memory_type(g_.dtype(id));
    return entry_.define("alloca [", std::to_string(int_value(g_, g_.src(id, 0))), " x ", type,
                         "], align 64");
  }

  /// Where gated scalar accesses go when their gate is false.
  const std::string& scratch() {
    if (scratch_.empty()) scratch_ = entry_.define("alloca i64, align 8");
    return scratch_;
  }

  // --- The order ---

  void write_node(Id id) {
    switch (g_.op(id)) {
      case Op::kConst:
      case Op::kLanes:
      case Op::kParam:
      case Op::kVariable:
      case Op::kSpecial:
      case Op::kDefineReg:
      case Op::kDefineLocal:
      case Op::kIndex:
      case Op::kAfter:
      case Op::kGroup: break;  // written by write_leaf, or where they are used
      case Op::kRange: open_loop(id); break;
      case Op::kEnd: close_loop(g_.src(id, 1)); break;
      case Op::kIf: open_if(id); break;
      case Op::kEndIf: close_if(g_.src(id, 0)); break;
      case Op::kLoad: names_[id] = load(id); break;
      case Op::kStore: store(id); break;
      case Op::kVectorize: names_[id] = vectorize(id); break;
      case Op::kLane: names_[id] = lane(id); break;
      default: names_[id] = elementwise(id); break;
    }
  }

  void open_loop(Id id) {
    const std::string n = std::to_string(id), type = llvm_type(g_.dtype(id));
    const std::string& size = name_of(g_.src(id, 0));
    names_[id] = "%i" + n;
    body_.line("br label %enter", n);
    body_.label("enter" + n);
    const std::string any = body_.define("icmp slt ", type, " 0, ", size);
    body_.line("br i1 ", any, ", label %loop", n, ", label %exit", n);
    body_.label("loop" + n);
    body_.line("%i", n, " = phi ", type, " [ 0, %enter", n, " ], [ %next", n, ", %latch", n, " ]");
  }

  void close_loop(Id range) {
    const std::string n = std::to_string(range), type = llvm_type(g_.dtype(range));
    body_.line("br label %latch", n);
    body_.label("latch" + n);
    body_.line("%next", n, " = add nuw nsw ", type, " %i", n, ", 1");
    const std::string more =
        body_.define("icmp slt ", type, " %next", n, ", ", name_of(g_.src(range, 0)));
    body_.line("br i1 ", more, ", label %loop", n, ", label %exit", n);
    body_.label("exit" + n);
  }

  void open_if(Id id) {
    const std::string n = std::to_string(id);
    body_.line("br i1 ", name_of(g_.src(id, 0)), ", label %then", n, ", label %endif", n);
    body_.label("then" + n);
  }

  void close_if(Id id) {
    const std::string label = "endif" + std::to_string(id);
    body_.line("br label %", label);
    body_.label(label);
  }

  // --- Values ---

  /// The node that `id` is once the effects it waits for have happened: they have, in a linear
  /// program.
  Id settled(Id id) const {
    while (g_.op(id) == Op::kAfter) id = g_.src(id, 0);
    return id;
  }

  const std::string& name_of(Id id) {
    const std::string& name = names_[settled(id)];
    require(!name.empty(), "node ", id, " (", loom::name(g_.op(id)),
            ") is used before it is computed");
    return name;
  }

  std::string elementwise(Id id) {
    require(is_elementwise(g_.op(id)), "the LLVM renderer does not know ", loom::name(g_.op(id)));
    std::string operands[3];
    for (size_t k = 0; k < g_.src(id).size(); ++k) operands[k] = name_of(g_.src(id, k));
    return llvm_elementwise(body_, g_, id, operands);
  }

  static std::string lanes(DType dtype) {
    std::string text = "<";
    for (int lane = 0; lane < dtype.lanes; ++lane)
      text += (lane ? ", " : "") + llvm_type(dtype.element()) + " " + std::to_string(lane);
    return text + ">";
  }

  std::string splat(std::string_view value, DType dtype) {
    const std::string type = llvm_type(dtype);
    const std::string first = body_.define("insertelement ", type, " poison, ",
                                           llvm_type(dtype.element()), " ", value, ", i64 0");
    return body_.define("shufflevector ", type, " ", first, ", ", type, " poison, ",
                        llvm_type(kInt32.vec(dtype.lanes)), " zeroinitializer");
  }

  std::string vectorize(Id id) {
    const DType dtype = g_.dtype(id);
    if (g_.src(id).size() == 1) return splat(name_of(g_.src(id, 0)), dtype);
    std::string vector = "poison";
    for (int lane = 0; lane < dtype.lanes; ++lane) {
      vector = body_.define("insertelement ", llvm_type(dtype), " ", vector, ", ",
                            llvm_type(dtype.element()), " ", name_of(g_.src(id, lane)), ", i64 ",
                            std::to_string(lane));
    }
    return vector;
  }

  std::string lane(Id id) {
    const Id vector = g_.src(id, 0);
    return body_.define("extractelement ", llvm_type(g_.dtype(vector)), " ", name_of(vector),
                        ", i64 ", std::to_string(g_.arg(id)));
  }

  // --- Memory ---

  struct Access {
    DType dtype;          // of the value
    std::string type;     // of the value in memory
    std::string align;    // of one element
    std::string address;  // a vector of pointers when `scattered`
    std::string gate;     // empty: always; as many lanes as the value when it is a vector
    bool scattered = false;
  };

  Access access(Id index, DType dtype) {
    const Id buffer = settled(g_.src(index, 0)), offset = g_.src(index, 1);
    const bool gated = g_.src(index).size() == 3;
    Access result{dtype, llvm_memory_type(dtype), std::to_string(dtype.element().bytes()), {}, {}};
    result.scattered = g_.dtype(offset).lanes > 1;
    result.address =
        body_.define("getelementptr ", llvm_memory_type(g_.dtype(buffer)), ", ptr ",
                     name_of(buffer), ", ", llvm_type(g_.dtype(offset)), " ", name_of(offset));
    if (gated) result.gate = like(g_.src(index, 2), kBool.vec(dtype.lanes));
    return result;
  }

  /// The name of `id`, broadcast to the lanes of `dtype`.
  std::string like(Id id, DType dtype) {
    if (g_.dtype(id).lanes == dtype.lanes) return name_of(id);
    return splat(name_of(id), dtype);
  }

  std::string select_address(const Access& a) {
    return body_.define("select i1 ", a.gate, ", ptr ", a.address, ", ptr ", scratch());
  }

  static std::string mask(const Access& a) {
    const DType dtype = kBool.vec(a.dtype.lanes);
    return llvm_type(dtype) + " " + (a.gate.empty() ? llvm_constant(dtype, 1) : a.gate);
  }

  static std::string pointers(const Access& a) {
    return "<" + std::to_string(a.dtype.lanes) + " x ptr> " + a.address;
  }

  static std::string intrinsic(std::string_view name, const Access& a) {
    const DType memory = a.dtype.is_bool() ? kUInt8.vec(a.dtype.lanes) : a.dtype;
    const std::string address = a.scattered ? "v" + std::to_string(a.dtype.lanes) + "p0" : "p0";
    return "@llvm.masked." + std::string(name) + "." + llvm_mangled(memory) + "." + address;
  }

  std::string load(Id id) {
    const DType dtype = g_.dtype(id);
    const Access a = access(g_.src(id, 0), dtype);
    const std::string other =
        g_.src(id).size() == 2 ? to_memory(like(g_.src(id, 1), dtype), dtype) : "poison";
    return from_memory(load_memory(a, other), dtype);
  }

  std::string load_memory(const Access& a, const std::string& other) {
    if (a.scattered) {
      return body_.define("call ", a.type, " ", intrinsic("gather", a), "(", pointers(a), ", i32 ",
                          a.align, ", ", mask(a), ", ", a.type, " ", other, ")");
    }
    if (a.gate.empty())
      return body_.define("load ", a.type, ", ptr ", a.address, ", align ", a.align);
    if (a.dtype.lanes > 1) {
      return body_.define("call ", a.type, " ", intrinsic("load", a), "(ptr ", a.address, ", i32 ",
                          a.align, ", ", mask(a), ", ", a.type, " ", other, ")");
    }
    const std::string value =
        body_.define("load ", a.type, ", ptr ", select_address(a), ", align ", a.align);
    return body_.define("select i1 ", a.gate, ", ", a.type, " ", value, ", ", a.type, " ", other);
  }

  void store(Id id) {
    const Id index = g_.src(id, 0), value = g_.src(id, 1);
    const int lanes = std::max(g_.dtype(value).lanes, g_.dtype(g_.src(index, 1)).lanes);
    const DType dtype = g_.dtype(value).vec(lanes);
    const Access a = access(index, dtype);
    store_memory(a, to_memory(like(value, dtype), dtype));
  }

  void store_memory(const Access& a, const std::string& value) {
    if (a.scattered) {
      body_.line("call void ", intrinsic("scatter", a), "(", a.type, " ", value, ", ", pointers(a),
                 ", i32 ", a.align, ", ", mask(a), ")");
    } else if (!a.gate.empty() && a.dtype.lanes > 1) {
      body_.line("call void ", intrinsic("store", a), "(", a.type, " ", value, ", ptr ", a.address,
                 ", i32 ", a.align, ", ", mask(a), ")");
    } else {
      const std::string address = a.gate.empty() ? a.address : select_address(a);
      body_.line("store ", a.type, " ", value, ", ptr ", address, ", align ", a.align);
    }
  }

  std::string to_memory(const std::string& value, DType dtype) {
    if (!dtype.is_bool()) return value;
    return body_.define("zext ", llvm_type(dtype), " ", value, " to ", llvm_memory_type(dtype));
  }

  std::string from_memory(const std::string& value, DType dtype) {
    if (!dtype.is_bool()) return value;
    return body_.define("icmp ne ", llvm_memory_type(dtype), " ", value, ", zeroinitializer");
  }

  const LoweredKernel& kernel_;
  const Target& target_;
  const Graph& g_;
  std::vector<std::string> names_;  // of the value of each node, once it is computed
  LlvmLines entry_{"%e"}, body_{"%t"};
  std::string scratch_;
};

}  // namespace

std::string render_llvm(const LoweredKernel& kernel, const Target& target) {
  return LlvmRenderer(kernel, target).module();
}

}  // namespace loom
