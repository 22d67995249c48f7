#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <unordered_map>
#include <utility>

#include "base/did_you_mean.h"
#include "base/error.h"
#include "ir/build.h"
#include "ir/text.h"
#include "ir/text_names.h"

namespace loom {
namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r'; }

// Ends a word.
bool is_delimiter(char c) {
  return is_space(c) || std::string_view("%{}[],=#\"").find(c) != std::string_view::npos;
}

// Reads one line from left to right. What it does not find is an error with the line's number.
class LineReader {
 public:
  LineReader(std::string_view line, size_t number) : rest_(line), number_(number) { skip_space(); }

  template <class... Parts>
  [[noreturn]] void error(const Parts&... parts) const {
    fail<UserError>("line ", number_, ": ", parts...);
  }

  [[noreturn]] void expected(std::string_view what) const {
    const std::string_view got = rest_.substr(0, 24);
    error("expected ", what, ", got ", got.empty() ? "the end of the line" : str('"', got, '"'));
  }

  bool at_end() const { return rest_.empty() || rest_[0] == '#'; }
  bool at(std::string_view token) const { return rest_.starts_with(token); }

  bool accept(std::string_view token) {
    if (!at(token)) return false;
    rest_.remove_prefix(token.size());
    skip_space();
    return true;
  }

  void expect(std::string_view token) {
    if (!accept(token)) expected(str('"', token, '"'));
  }

  std::string_view word(std::string_view what) {
    size_t length = 0;
    while (length < rest_.size() && !is_delimiter(rest_[length])) length++;
    if (length == 0) expected(what);
    if (length > kLongestWord) error("a word of ", length, " letters");
    const std::string_view result = rest_.substr(0, length);
    rest_.remove_prefix(length);
    skip_space();
    return result;
  }

  template <class T>
  T number(std::string_view what) {
    const std::string_view digits = word(what);
    T value{};
    const auto [end, problem] =
        std::from_chars(digits.data(), digits.data() + digits.size(), value);
    const bool is_whole = end == digits.data() + digits.size();
    if (problem == std::errc::result_out_of_range && is_whole)
      error(digits, " is out of range for ", what);
    if (problem != std::errc() || !is_whole) error("expected ", what, ", got \"", digits, '"');
    return value;
  }

  // A position in `names`, or a number in its place.
  template <class Names>
  int64_t choice(const Names& names, std::string_view what) {
    const std::string_view text = word(what);
    const auto found = std::ranges::find(names, text);
    if (found == names.end()) error("unknown ", what, " \"", text, '"', did_you_mean(text, names));
    return found - names.begin();
  }

  std::string quoted_text() {
    std::string text;
    for (rest_.remove_prefix(1); !at("\""); rest_.remove_prefix(1)) {
      if (rest_.empty()) error("the text has no closing quote");
      text += rest_[0] == '\\' ? escaped() : rest_[0];
    }
    expect("\"");
    return text;
  }

 private:
  static constexpr size_t kLongestWord = 200;

  // Leaves the last character of the escape for the caller to skip.
  char escaped() {
    rest_.remove_prefix(1);
    if (at("\"") || at("\\")) return rest_[0];
    unsigned byte = 0;
    if (at("x") && rest_.size() >= 3) {
      const char* digits = rest_.data() + 1;
      if (std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2) {
        rest_.remove_prefix(2);
        return static_cast<char>(byte);
      }
    }
    error("unknown escape in a text: only \\\", \\\\ and \\xHH are known");
  }

  void skip_space() {
    while (!rest_.empty() && is_space(rest_[0])) rest_.remove_prefix(1);
  }

  std::string_view rest_;
  size_t number_;
};

template <class Float>
double read_float(LineReader& line, std::string_view digits) {
  Float value = 0;
  const auto [stop, problem] = std::from_chars(digits.begin(), digits.end(), value);
  if (stop != digits.end()) line.error("expected a number, got \"", digits, '"');
  if (problem == std::errc::result_out_of_range) line.error(digits, " is out of the type's range");
  return static_cast<double>(value);
}

int64_t float_const_arg(LineReader& line, DType dtype) {
  const std::string_view text = line.word("a number");
  if (text.starts_with(kNanBits)) {
    uint64_t bits = 0;
    const auto stop = std::from_chars(text.begin() + kNanBits.size(), text.end(), bits, 16).ptr;
    if (stop != text.end() || !std::isnan(std::bit_cast<double>(bits))) {
      line.error("\"", text, "\" is no NaN");
    }
    return static_cast<int64_t>(bits);
  }
  const bool is_double = dtype.scalar == Scalar::kFloat64;
  const double value = is_double ? read_float<double>(line, text) : read_float<float>(line, text);
  if (std::isnan(value)) return std::bit_cast<int64_t>(std::numeric_limits<double>::quiet_NaN());
  return std::bit_cast<int64_t>(round_to(dtype, value));
}

int64_t const_arg(LineReader& line, DType dtype) {
  if (dtype.is_float()) return float_const_arg(line, dtype);
  if (dtype.is_bool())
    return line.choice(std::array<std::string_view, 2>{"false", "true"}, "truth value");
  if (dtype.scalar == Scalar::kUInt64)
    return static_cast<int64_t>(line.number<uint64_t>("a uint64"));
  const auto value = line.number<int64_t>("an integer");
  if (wrap_to(dtype, value) != value) line.error(value, " does not fit ", name(dtype));
  return value;
}

Op read_op(LineReader& line) {
  const std::string_view text = line.word("an op");
  const Op op = op_from_name(text);
  if (op != Op::kNone) return op;
  std::vector<std::string_view> names;
  for (int i = 1; i < kOpCount; i++) names.push_back(name(static_cast<Op>(i)));
  line.error("unknown op \"", text, '"', did_you_mean(text, names));
}

int64_t range_or_special_arg(LineReader& line, ArgKind kind) {
  if (kind == ArgKind::kSpecial) {
    const int64_t special = line.choice(kSpecialNames, "launch index");
    return special_arg(static_cast<SpecialKind>(special), line.number<uint8_t>("a dimension"));
  }
  std::vector<std::string_view> types;
  for (int i = 0; i <= static_cast<int>(AxisType::kDevice); i++)
    types.push_back(name(static_cast<AxisType>(i)));
  const auto axis = line.number<int32_t>("an axis number");
  return range_arg(axis, static_cast<AxisType>(line.choice(types, "axis type")));
}

// Builds the graph line by line.
class Parser {
 public:
  explicit Parser(const ParseLimits& limits) : limits_(limits) {}

  void parse_line(LineReader line) {
    if (line.at_end()) return;
    if (!graph_.roots.empty()) line.error("nothing may follow the roots");
    if (line.accept("->")) return parse_roots(line);
    if (ids_.size() >= limits_.nodes) line.error("more than ", limits_.nodes, " nodes");
    line.expect("%");
    const auto number = line.number<uint32_t>("a node number");
    if (ids_.contains(number)) line.error("%", number, " is defined twice");
    line.expect("=");
    last_ = parse_node(line);
    ids_.emplace(number, last_);
  }

  ParsedGraph finish() {
    if (graph_.roots.empty() && last_ != 0) graph_.roots.push_back(last_);
    return std::move(graph_);
  }

 private:
  void parse_roots(LineReader& line) {
    do {
      graph_.roots.push_back(parse_source(line));
    } while (!line.at_end());
  }

  Id parse_source(LineReader& line) {
    line.expect("%");
    const auto number = line.number<uint32_t>("a node number");
    const auto found = ids_.find(number);
    if (found == ids_.end()) line.error("%", number, " is not defined above");
    return found->second;
  }

  Id parse_node(LineReader& line) {
    const Op op = read_op(line);
    const bool has_dtype = !line.at_end() && !line.at("%") && !line.at("{");
    const DType dtype = has_dtype ? parse_dtype(line) : kVoid;
    std::vector<Id> src;
    while (line.at("%")) src.push_back(parse_source(line));
    check_source_count(line, op, src.size());
    const int64_t arg = parse_arg(line, op, dtype);
    if (!line.at_end()) line.expected("the end of the line");
    return graph_.graph.add(op, dtype, src, arg);
  }

  static DType parse_dtype(LineReader& line) {
    const std::string_view text = line.word("a dtype");
    try {
      return dtype_from_name(text);
    } catch (const UserError& problem) {
      line.error(problem.what());
    }
  }

  static void check_source_count(const LineReader& line, Op op, size_t count) {
    const auto least = int{info(op).min_src}, most = int{info(op).max_src};
    const bool is_too_many = most >= 0 && std::cmp_greater(count, most);
    if (std::cmp_greater_equal(count, least) && !is_too_many) return;
    const std::string range = least == most ? str(least)
                              : most < 0    ? str(least, " or more")
                                            : str(least, " to ", most);
    line.error(name(op), " takes ", range, " sources, got ", count);
  }

  int64_t parse_arg(LineReader& line, Op op, DType dtype) {
    const ArgKind kind = info(op).arg;
    const bool is_optional = kind == ArgKind::kNone || kind == ArgKind::kText;
    if (is_optional && !line.at("{")) return 0;
    line.expect("{");
    const int64_t arg = parse_braced(line, op, dtype, kind);
    line.expect("}");
    return arg;
  }

  int64_t parse_braced(LineReader& line, Op op, DType dtype, ArgKind kind) {
    switch (kind) {
      case ArgKind::kNone: line.error(name(op), " has no argument");
      case ArgKind::kInt: return line.number<int64_t>("an integer");
      case ArgKind::kConst: return const_arg(line, dtype);
      case ArgKind::kInts: return graph_.graph.ints(parse_ints(line));
      case ArgKind::kText:
        if (!line.at("\"")) line.expected("a quoted text");
        return graph_.graph.text(line.quoted_text());
      case ArgKind::kRange:
      case ArgKind::kSpecial: return range_or_special_arg(line, kind);
      case ArgKind::kStage: {
        const auto space = static_cast<AddrSpace>(line.choice(kSpaceNames, "address space"));
        return stage_arg(space, line.accept(kRemovable));
      }
    }
    return 0;
  }

  static std::vector<int64_t> parse_ints(LineReader& line) {
    std::vector<int64_t> values;
    if (!line.at("[")) {
      values.push_back(static_cast<int64_t>(read_op(line)));
      if (!line.at("[")) return values;
    }
    line.expect("[");
    if (line.accept("]")) return values;
    do {
      values.push_back(line.number<int64_t>("an integer"));
    } while (line.accept(","));
    line.expect("]");
    return values;
  }

  const ParseLimits& limits_;
  ParsedGraph graph_;
  std::unordered_map<uint32_t, Id> ids_;  // by number in the text
  Id last_ = 0;
};

}  // namespace

ParsedGraph parse(std::string_view text, const ParseLimits& limits) {
  if (text.size() > limits.bytes)
    fail<UserError>("the text has more than ", limits.bytes, " bytes");
  Parser parser(limits);
  for (size_t number = 1; !text.empty(); number++) {
    const size_t end = std::min(text.find('\n'), text.size());
    parser.parse_line(LineReader(text.substr(0, end), number));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parser.finish();
}

}  // namespace loom
