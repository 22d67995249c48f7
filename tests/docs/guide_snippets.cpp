// The programs of docs/guide.md. The page shows what lies between `// [name]` and `// [end]`, and
// what it prints; guide_test.cpp compares.
#include "tests/docs/guide_snippets.h"

#include "loom/loom.h"

using namespace loom;

namespace {

void creation(std::ostream& out) {
  // [creation]
  Tensor a({1.0F, 2.0F, 3.0F, 4.0F}, Shape{2, 2});  // data in row-major order, and a shape
  Tensor b(std::vector<int>{5, 6});                 // int32 (2)
  Tensor c = Tensor::linspace(0, 1, 5);             // float32 (5)
  Tensor d = Tensor::arange(10).reshape({2, -1});   // int64 (2, 5)
  Tensor e = Tensor::rand({2, 3}, /*seed=*/7);      // the same numbers on every run and device
  Tensor f = Tensor::full({2, 2}, 0.5, kFloat16);   // a constant needs no memory
  out << a << b << c << '\n' << d << '\n' << name(f.dtype()) << ' ' << e.ndim() << '\n';
  // [end]
}

void laziness(std::ostream& out) {
  // [laziness]
  Tensor x({3.0F, 4.0F});
  Tensor length = (x * x).sum().sqrt();  // nothing has run yet
  out << length << '\n';                 // one kernel: product, sum and root
  Tensor y = (x / length).realize();     // computed now; y lets go of its history
  std::vector<float> data = y.to_vector<float>();
  out << data[0] << ' ' << y[1].item<float>() << '\n';
  // [end]
}

void types(std::ostream& out) {
  // [types]
  Tensor small(std::vector<int8_t>{100, 27});
  out << small + 28 << '\n';           // a number takes the tensor's type: int8 wraps
  out << small + 0.5 << '\n';          // a float beside integers: float32
  out << small.sum() << '\n';          // sums widen: int64
  out << small / 2 << '\n';            // true division: float32
  out << small.floor_div(-8) << '\n';  // rounds towards minus infinity
  out << Tensor({-1.5F, 300.0F}).cast(kUInt8) << '\n';  // truncates and saturates
  // [end]
}

void views(std::ostream& out) {
  // [views]
  Tensor x = Tensor::arange(12).reshape({3, 4});
  out << x.t()[0] << '\n';                               // a column
  out << x.index({Slice(), Slice({}, {}, -2)}) << '\n';  // x[:, ::-2]
  out << x.index({Slice(1, 3), 0}) << '\n';              // x[1:3, 0]
  out << x[Tensor({2, 0, -1})].shape().size() << '\n';   // rows 2, 0 and the last
  out << x.unsqueeze(0).expand({2, -1, -1}).sum({1, 2}) << '\n';
  out << cat({x[0], x[1]}) << '\n';
  // [end]
}

void assignment(std::ostream& out) {
  // [assignment]
  Tensor x({1, 2, 3});
  Tensor before = x + 0, copy = x;
  x.assign(x * 10);                    // in x's memory
  x.set({Slice(0, 1)}, -1);            // x[0:1] = -1
  out << x << copy << before << '\n';  // a copy is the same tensor; an expression keeps its value
  // [end]
}

void jit(std::ostream& out) {
  // [jit]
  Tensor w = Tensor::rand({4, 4}, 1), steps = Tensor::zeros({1}, kInt32);
  Jit step([&](const Tensor& x) {
    steps.assign(steps + 1);
    return x.matmul(w).softmax();
  });
  Tensor x = Tensor::ones({2, 4});
  for (int i = 0; i < 5; i++) x = step(x);  // runs, captures, and then only replays
  out << x.sum(1) << ' ' << steps << ' ' << step.launch_count() << '\n';
  // [end]
}

void errors(std::ostream& out) {
  // [errors]
  try {
    Tensor::zeros({2, 3}).matmul(Tensor::zeros({4, 5}));
  } catch (const UserError& error) {
    out << error.what() << '\n';
  }
  // [end]
}

void layers(std::ostream& out) {
  // [layers]
  Tensor picture = Tensor::arange(0, 32, 1, kFloat32).reshape({1, 2, 4, 4});
  Tensor filters = Tensor::full({3, 2, 3, 3}, 0.1);
  Tensor y = conv2d(picture, filters, {.stride = 2, .padding = 1}).relu();
  out << max_pool2d(y, {.kernel = 2}).flatten() << '\n';
  // [end]
}

}  // namespace

std::map<std::string, void (*)(std::ostream&)> guide_snippets() {
  return {{"creation", creation}, {"laziness", laziness},     {"types", types},
          {"views", views},       {"assignment", assignment}, {"jit", jit},
          {"errors", errors},     {"layers", layers}};
}
