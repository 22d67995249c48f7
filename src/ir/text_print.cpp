#include <charconv>
#include <cmath>
#include <cstdio>
#include <limits>

#include "base/error.h"
#include "ir/build.h"
#include "ir/text.h"
#include "ir/text_names.h"

namespace loom {
namespace {

std::string nan_text(int64_t bits) {
  if (bits == std::bit_cast<int64_t>(std::numeric_limits<double>::quiet_NaN())) return "nan";
  std::array<char, 16> digits;
  const auto end = std::to_chars(digits.begin(), digits.end(), static_cast<uint64_t>(bits), 16).ptr;
  return std::string(kNanBits).append(digits.begin(), end);
}

template <class T>
std::string shortest(T value) {
  std::array<char, 32> digits;
  std::string text(digits.begin(), std::to_chars(digits.begin(), digits.end(), value).ptr);
  // An integer would read back the same, but should look like a float.
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  return text;
}

std::string const_text(DType dtype, int64_t arg) {
  if (dtype.is_bool()) return arg != 0 ? "true" : "false";
  if (dtype.scalar == Scalar::kUInt64) return std::to_string(static_cast<uint64_t>(arg));
  if (!dtype.is_float()) return std::to_string(arg);
  const double value = std::bit_cast<double>(arg);
  if (std::isnan(value)) return nan_text(arg);
  // Narrower floats are exact in float32, where their shortest form is shorter.
  return dtype.scalar == Scalar::kFloat64 ? shortest(value) : shortest(static_cast<float>(value));
}

std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      result += {'\\', c};
    } else if (byte < ' ' || byte == 0x7f) {
      std::array<char, 5> escape;
      std::snprintf(escape.data(), escape.size(), "\\x%02x", unsigned{byte});
      result += escape.data();
    } else {
      result += c;
    }
  }
  return result + '"';
}

std::string list_text(std::span<const int64_t> values) {
  std::string text = "[";
  for (int64_t value : values) text += (text.size() > 1 ? "," : "") + std::to_string(value);
  return text + ']';
}

// REDUCE names its op before the axes: "ADD", "MAX [0,2]".
std::string ints_text(Op op, std::span<const int64_t> values) {
  const bool names_op =
      op == Op::kReduce && !values.empty() && values[0] > 0 && values[0] < kOpCount;
  if (!names_op) return list_text(values);
  const std::string text(name(static_cast<Op>(values[0])));
  return values.size() == 1 ? text : text + ' ' + list_text(values.subspan(1));
}

// A word of a table, or a number that no word stands for.
template <class Names>
std::string word(const Names& names, int64_t number) {
  if (number >= 0 && number < std::ssize(names)) return std::string(names[number]);
  return std::to_string(number);
}

std::string range_text(int64_t arg) {
  const AxisType type = range_type(arg);
  const bool is_known = type <= AxisType::kDevice;
  return std::to_string(range_axis(arg)) + ' ' +
         (is_known ? std::string(name(type)) : std::to_string(arg & 0xff));
}

std::string stage_text(int64_t arg) {
  const std::string space = word(kSpaceNames, arg & 0xff);
  return arg >> 8 != 0 ? space + ' ' + std::string(kRemovable) : space;
}

// What stands between the braces; empty for no argument.
std::string arg_text(const Graph& graph, const Node& node) {
  switch (info(node.op).arg) {
    case ArgKind::kNone: return {};
    case ArgKind::kInt: return std::to_string(node.arg);
    case ArgKind::kConst: return const_text(node.dtype(), node.arg);
    case ArgKind::kInts: return ints_text(node.op, graph.ints_of(node.arg));
    case ArgKind::kText: return node.arg == 0 ? std::string() : quoted(graph.text_of(node.arg));
    case ArgKind::kRange: return range_text(node.arg);
    case ArgKind::kSpecial:
      return str(word(kSpecialNames, node.arg & 0xff), ' ', special_dim(node.arg));
    case ArgKind::kStage: return stage_text(node.arg);
  }
  return {};
}

template <class Numbers>
void append_node(std::string& text, const Graph& graph, Id id, const Numbers& number_of) {
  const Node& node = graph[id];
  text += '%' + std::to_string(number_of(id)) + " = ";
  text += name(node.op);
  if (node.dtype() != kVoid) text += ' ' + name(node.dtype());
  for (Id source : graph.src(id)) text += " %" + std::to_string(number_of(source));
  const std::string arg = arg_text(graph, node);
  if (!arg.empty()) text += " {" + arg + '}';
}

}  // namespace

std::string print(const Graph& graph, std::span<const Id> roots) {
  const std::vector<Id> ids = reachable(graph, roots);
  std::vector<Id> numbers(ids.empty() ? 0 : ids.back() + 1);
  for (size_t i = 0; i < ids.size(); i++) numbers[ids[i]] = static_cast<Id>(i + 1);
  const auto number_of = [&](Id id) { return numbers[id]; };
  std::string text;
  for (Id id : ids) {
    append_node(text, graph, id, number_of);
    text += '\n';
  }
  const bool is_last_the_root = roots.size() == 1 && roots[0] == ids.back();
  if (is_last_the_root) return text;
  text += "->";
  for (Id root : roots) text += " %" + std::to_string(number_of(root));
  return text + '\n';
}

std::string print_node(const Graph& graph, Id id) {
  std::string text;
  append_node(text, graph, id, [](Id own) { return own; });
  return text;
}

}  // namespace loom
