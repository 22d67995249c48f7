#include "tests/tensor/random_program.h"

#include <algorithm>

#include "base/str.h"

namespace loom::testing {
namespace {

constexpr int64_t kMaxElements = 3000;

int64_t pick(uint64_t& random, int64_t low, int64_t high) {
  random = random * 6364136223846793005U + 1442695040888963407U;
  return low + static_cast<int64_t>((random >> 33) % static_cast<uint64_t>(high - low + 1));
}

// Up to which integers are exact.
double exact_limit(DType dtype) {
  if (dtype == kFloat16) return 1 << 11;
  if (dtype == kBFloat16) return 1 << 8;
  if (dtype == kFloat32) return 1 << 24;
  return dtype == kFloat64 ? 0x1p53 : 0x1p62;
}

double largest(DType dtype) {
  return dtype.is_float() ? exact_limit(dtype) : static_cast<double>(dtype.max_value()) + 1;
}

class Builder {
 public:
  Builder(std::string device, std::vector<std::string>* names)
      : device_(std::move(device)), names_(names) {}

  void add_input(const Known& input) { keep("input", input); }

  void take(const Step& step) {
    a_ = &pool_[step.a % pool_.size()];
    b_ = &pool_[step.b % pool_.size()];
    random_ = step.random;
    const Known result = apply(step.op % kOps);
    const bool is_sound =
        result.tensor.numel() <= kMaxElements && std::isfinite(result.bound) &&
        (!result.tensor.dtype().is_float() ||
         result.bound <= (result.is_exact ? exact_limit(result.tensor.dtype()) : 1e3));
    if (is_sound) keep(op_name_, result);
  }

  std::vector<Known> pool() && { return std::move(pool_); }

 private:
  static constexpr uint32_t kOps = 32;

  void keep(std::string_view name, const Known& known) {
    if (names_ != nullptr) {
      names_->push_back(str("t", pool_.size(), " = ", name, " -> ",
                            loom::name(known.tensor.dtype()), " ", known.tensor.shape()));
    }
    const Known copy = known;  // `known` may be in the pool that grows
    pool_.push_back(copy);
  }

  Known named(std::string_view name, Tensor tensor, double bound, bool is_exact) {
    const auto position = [&](const Known* known) { return known - pool_.data(); };
    op_name_ = str(name, "(t", position(a_), ", t", position(b_), ")");
    const DType dtype = tensor.dtype();
    if (!dtype.is_float()) bound = std::min(bound, largest(dtype));
    return {std::move(tensor), bound, is_exact || !dtype.is_float()};
  }
  Known nothing() { return {Tensor(), INFINITY, true}; }
  int64_t number(int64_t low, int64_t high) { return pick(random_, low, high); }
  bool is_float() const { return a_->tensor.dtype().is_float(); }
  int64_t rank() const { return a_->tensor.ndim(); }
  int64_t axis() { return number(0, rank() - 1); }

  // The second operand, made to broadcast with the first.
  Tensor partner() {
    const Tensor& x = b_->tensor;
    try {
      const Shape shapes[] = {a_->tensor.shape(), x.shape()};
      broadcast_shapes(shapes);
      return x;
    } catch (const UserError&) {
      return x.numel() == 0 ? Tensor::zeros({}, x.dtype()) : x.flatten()[number(0, x.numel() - 1)];
    }
  }

  Known apply(uint32_t op) {
    if (op < 10) return elementwise(op);
    if (op < 14) return a_->tensor.numel() == 0 ? nothing() : reduction(op);
    if (op < 23) return rank() == 0 ? nothing() : view(op);
    return other(op);
  }

  Known elementwise(uint32_t op) {
    const Tensor& x = a_->tensor;
    const double bound = std::max(a_->bound, b_->bound);
    const bool exact = a_->is_exact && b_->is_exact;
    switch (op) {
      case 0:
        return named("add", x.dtype().is_bool() ? x : x + partner(), a_->bound + b_->bound, exact);
      case 1: return named("mul", x * partner(), a_->bound * b_->bound, exact);
      case 2: return named("maximum", maximum(x, partner()), bound, exact);
      case 3: return named("minimum", minimum(x, partner()), bound, exact);
      case 4: return exact ? named("less", x < partner(), 1, true) : nothing();
      case 5:
        return a_->is_exact ? named("where", where(x > number(0, 3), partner(), number(0, 5)),
                                    std::max(b_->bound, 5.0), b_->is_exact)
                            : nothing();
      case 6:
        return x.dtype().is_bool()
                   ? nothing()
                   : named("negative", number(0, 1) ? -x : x.abs(), a_->bound, a_->is_exact);
      case 7: return bits(x);
      case 8: return cast(x);
      default:
        return x.dtype().is_bool() || is_float()
                   ? nothing()
                   : named("divide", number(0, 1) ? x.floor_div(number(1, 7)) : x % number(1, 7),
                           a_->bound + 7, true);
    }
  }

  Known bits(const Tensor& x) {
    const Tensor y = partner();
    if (promote(x.dtype(), y.dtype()).is_float()) return nothing();
    switch (number(0, 3)) {
      case 0: return named("and", x & y, 0x1p63, true);
      case 1: return named("or", x | y, 0x1p63, true);
      case 2: return named("xor", x ^ y, 0x1p63, true);
      default:
        return x.dtype().is_bool() ? named("not", ~x, 1, true)
                                   : named("shift", x >> number(0, 9), a_->bound, true);
    }
  }

  Known cast(const Tensor& x) {
    const DType dtypes[] = {kBool, kInt8, kUInt8, kInt32, kInt64, kFloat32, kFloat64};
    const DType to = dtypes[number(0, 6)];
    if (!a_->is_exact && !to.is_float()) return nothing();
    return named(str("cast to ", loom::name(to)), x.cast(to), to.is_bool() ? 1 : a_->bound,
                 a_->is_exact);
  }

  Known reduction(uint32_t op) {
    const Tensor& x = a_->tensor;
    const Axes axes = rank() == 0 || number(0, 3) == 0 ? Axes() : Axes(axis());
    const bool keep_axis = number(0, 1) == 1;
    switch (op) {
      case 10:
      case 11:
        return named("sum", x.sum(axes, keep_axis), a_->bound * static_cast<double>(x.numel()),
                     a_->is_exact);
      case 12:
        return named("max", number(0, 1) ? x.max(axes, keep_axis) : x.min(axes, keep_axis),
                     a_->bound, a_->is_exact);
      default:
        if (!a_->is_exact) return nothing();
        if (rank() == 0 || number(0, 1))
          return named("any", number(0, 1) ? x.any(axes, keep_axis) : x.all(axes, keep_axis), 1,
                       true);
        return named("argmax", number(0, 1) ? x.argmax(axis()) : x.argmin(axis()),
                     static_cast<double>(x.numel()), true);
    }
  }

  Known view(uint32_t op) {
    const Tensor& x = a_->tensor;
    const auto same = [&](std::string_view name, const Tensor& t) {
      return named(name, t, a_->bound, a_->is_exact);
    };
    std::vector<std::pair<int64_t, int64_t>> ranges;
    switch (op) {
      case 14:
        return same("flatten", number(0, 1)
                                   ? x.flatten()
                                   : x.flatten().reshape({-1, 1}).squeeze(1).reshape(x.shape()));
      case 15: return same("transpose", x.transpose(axis(), axis()));
      case 16: return same("flip", x.flip(axis()));
      case 17:
        for (int64_t dim : x.shape()) {
          const int64_t begin = number(0, dim);
          ranges.emplace_back(begin, number(begin, dim));
        }
        return same("shrink", x.shrink(ranges));
      case 18:
        for (size_t i = 0; i < x.shape().size(); i++)
          ranges.emplace_back(number(-1, 2), number(0, 2));
        for (size_t i = 0; i < ranges.size(); i++)
          ranges[i].first = std::max(ranges[i].first, -x.shape()[i]);
        return same("pad", x.pad(ranges, number(0, 2)));
      case 19:
        return same("expand", x.unsqueeze(axis()).repeat(
                                  std::vector<int64_t>(x.shape().size() + 1, number(1, 2))));
      case 20: return slice(x);
      case 21: return windows(x);
      default:
        return same("reshape", x.numel() > 0 && x.shape()[0] % 2 == 0
                                   ? x.unsqueeze(0).reshape({x.shape()[0] / 2, -1})
                                   : x.unsqueeze(-1));
    }
  }

  Known slice(const Tensor& x) {
    Index index;
    for (int64_t i = 0; i < rank(); i++) {
      const int64_t steps[] = {1, 2, 3, -1, -2};
      index.emplace_back(Slice({}, {}, steps[number(0, 4)]));
      if (number(0, 3) == 0 && x.shape()[i] > 0)
        index.back() = IndexItem(number(-x.shape()[i], x.shape()[i] - 1));
      if (number(0, 5) == 0) index.insert(index.begin(), IndexItem(None));
    }
    return named("slice", x.index(index), a_->bound, a_->is_exact);
  }

  Known windows(const Tensor& x) {
    const int64_t kernel = number(1, 3), stride = number(1, 3), dilation = number(1, 2);
    if ((kernel - 1) * dilation >= x.shape().back()) return nothing();
    return named("windows", x.windows({kernel}, {stride}, {dilation}), a_->bound, a_->is_exact);
  }

  Known other(uint32_t op) {
    const Tensor& x = a_->tensor;
    switch (op) {
      case 23: return gather(x);
      case 24: return join(x);
      case 25:
      case 26: return matmul(x);
      case 27: return named("contiguous", x.contiguous(), a_->bound, a_->is_exact);
      case 28:
        return named("realize", (x.dtype().is_bool() ? x | false : x * 1).realize(), a_->bound,
                     a_->is_exact);
      case 29: return function(x);
      case 30: return set(x);
      default: {
        const int64_t count = number(0, 9);
        return named("arange", (Tensor::arange(count) * number(-2, 2) + number(-3, 3)).to(device_),
                     30, true);
      }
    }
  }

  Known gather(const Tensor& x) {
    const Tensor& index = b_->tensor;
    if (rank() == 0 || !index.dtype().is_int() || index.ndim() > 2) return nothing();
    Index items(static_cast<size_t>(axis()), Slice());
    items.emplace_back(index % (x.shape()[items.size()] + 1) - 1);
    return named("gather", x.index(items), a_->bound, a_->is_exact);
  }

  Known join(const Tensor& x) {
    if (rank() == 0) return nothing();
    const int64_t along = axis();
    const Tensor reversed = x.flip(along),
                 other = b_->tensor.shape() == x.shape() ? b_->tensor : reversed * 1;
    const double bound = std::max(a_->bound, b_->bound);
    const bool exact = a_->is_exact && b_->is_exact;
    return number(0, 1) ? named("cat", cat({x, other, x}, along), bound, exact)
                        : named("stack", stack({other, x}, along), bound, exact);
  }

  Known matmul(const Tensor& x) {
    const Tensor& y = b_->tensor;
    if (rank() == 0 || y.ndim() == 0 || y.ndim() > 2 || x.shape().back() == 0) return nothing();
    const int64_t inner = x.shape().back();
    const Tensor flat = y.flatten();
    if (flat.numel() < inner) return nothing();
    const Tensor right = flat.shrink({{0, flat.numel() / inner * inner}}).reshape({inner, -1});
    return named("matmul", x.matmul(right), a_->bound * b_->bound * static_cast<double>(inner),
                 a_->is_exact && b_->is_exact);
  }

  Known function(const Tensor& x) {
    if (!is_float() || is_half(x.dtype())) return nothing();
    switch (number(0, 5)) {
      case 0: return named("exp", x.clip(-9, 3).exp(), 21, false);
      case 1: return named("log", (x.abs() + 1).log(), a_->bound + 1, false);
      case 2: return named("sqrt", x.abs().sqrt(), a_->bound + 1, false);
      case 3: return named("sin", number(0, 1) ? x.sin() : x.cos(), 1, false);
      case 4: return named("divide", x / (x.abs() + number(1, 4)), 1, false);
      default: return named("sigmoid", number(0, 1) ? x.sigmoid() : x.tanh(), 1, false);
    }
  }

  static bool is_half(DType dtype) { return dtype == kFloat16 || dtype == kBFloat16; }

  // A copy of x with part of it overwritten, perhaps by another part of itself.
  Known set(const Tensor& x) {
    if (rank() == 0 || x.shape()[0] < 2) return nothing();
    Tensor copy = x.contiguous();
    const int64_t size = x.shape()[0];
    if (number(0, 1)) copy.realize();
    if (number(0, 1))
      copy.set({Slice(1, {})}, copy.index({Slice({}, size - 1)}));
    else
      copy.set({Slice({}, {}, number(0, 1) ? 2 : -1)}, number(0, 3));
    return named("set", copy, std::max(a_->bound, 3.0), a_->is_exact);
  }

  std::string device_;
  std::vector<std::string>* names_;
  std::vector<Known> pool_;
  const Known* a_ = nullptr;
  const Known* b_ = nullptr;
  uint64_t random_ = 0;
  std::string op_name_;
};

}  // namespace

RandomProgram random_program(uint64_t seed) {
  std::mt19937_64 random(seed);
  RandomProgram program{{}, seed};
  program.steps.resize(3 + random() % 12);
  for (Step& step : program.steps) {
    step = {static_cast<uint32_t>(random()), static_cast<uint32_t>(random()),
            static_cast<uint32_t>(random()), random()};
  }
  return program;
}

std::vector<Known> random_inputs(const RandomProgram& program, const std::string& device,
                                 uint64_t variant) {
  std::vector<Known> inputs;
  for (uint64_t i = 0; i < 3; i++) {
    uint64_t seed = program.seed * 3 + i + 1;
    const DType dtypes[] = {kBool,    kInt8,    kUInt8,   kInt32,  kInt64,
                            kFloat16, kFloat32, kFloat32, kFloat64};
    const DType dtype = dtypes[pick(seed, 0, 8)];
    Shape shape(static_cast<size_t>(pick(seed, 0, 3)));
    int64_t count = 1;
    for (int64_t& dim : shape) count *= dim = pick(seed, pick(seed, 0, 9) == 0 ? 0 : 1, 5);
    seed += variant;
    std::vector<double> values;
    for (int64_t k = 0; k < count; k++) {
      values.push_back(static_cast<double>(pick(seed, dtype.is_unsigned() ? 0 : -6, 6)));
    }
    inputs.push_back({Tensor(values, shape, device).cast(dtype).contiguous().realize(), 6, true});
  }
  return inputs;
}

std::vector<Known> build_on(const RandomProgram& program, const std::vector<Known>& inputs,
                            const std::string& device, std::vector<std::string>* names) {
  Builder builder(device, names);
  for (const Known& input : inputs) builder.add_input(input);
  for (const Step& step : program.steps) builder.take(step);
  return std::move(builder).pool();
}

std::vector<Known> build(const RandomProgram& program, const std::string& device,
                         std::vector<std::string>* names) {
  return build_on(program, random_inputs(program, device), device, names);
}

}  // namespace loom::testing
