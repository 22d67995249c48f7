// Loops, accumulators and every form of memory access, compiled and interpreted, against plain C++.
#include <gtest/gtest.h>

#include <numeric>
#include <thread>

#include "loom/error.h"
#include "tests/engine/kernel_builder.h"

namespace loom {
namespace {

constexpr int kLanes = 8;

enum class Runner { kHost, kGeneric, kInterpreter };

class KernelRuns : public testing::TestWithParam<Runner> {
 protected:
  static std::unique_ptr<Program> program(const LoweredKernel& kernel) {
    switch (GetParam()) {
      case Runner::kHost: return compiled(kernel);
      case Runner::kGeneric: return compiled(kernel, generic_host());
      default: return make_interpreted(kernel);
    }
  }
};

std::vector<float> counting(size_t n) {
  std::vector<float> values(n);
  std::iota(values.begin(), values.end(), 1.0f);
  return values;
}

Id lane_numbers(Graph& g, int lanes) { return g.add(Op::kLanes, kIndex.vec(lanes)); }

TEST_P(KernelRuns, NestedLoopsVisitEveryElementInOrder) {
  KernelBuilder b;
  const Id out = b.param(0, kInt32, 12);
  const Id i = b.loop(3, 0), j = b.loop(4, 1);
  const Id offset = b.put(add(b.g, b.put(mul(b.g, i, index_const(b.g, 4))), j));
  b.store_at(out, offset, b.put(cast(b.g, offset, kInt32)));
  b.end(b.order.back(), j);
  b.end(b.order.back(), i);
  std::vector<int32_t> result(12), expected(12);
  std::iota(expected.begin(), expected.end(), 0);
  run(*program(b.finish()), result);
  EXPECT_EQ(result, expected);
}

TEST_P(KernelRuns, ALoopOverNothingRunsNotOnce) {
  KernelBuilder b;
  const Id out = b.param(0, kInt32, 1);
  const Id n =
      b.g.add(Op::kVariable, kIndex, {index_const(b.g, 0), index_const(b.g, 5)}, b.g.text("n"));
  const Id i = b.put(b.g.add(Op::kRange, kIndex, {n}, range_arg(0, AxisType::kLoop)));
  const Id zero = index_const(b.g, 0);
  const Id more = b.put(add(b.g, b.load_at(out, zero), constant(b.g, kInt32, 1)));
  b.store_at(out, zero, more);
  b.end(b.order.back(), i);
  const auto p = program(b.finish({"n"}));
  for (int64_t count : {0, 1, 5}) {
    int32_t result = 0;
    void* const buffers[] = {&result};
    p->launch(buffers, {&count, 1}, {});
    EXPECT_EQ(result, count);
  }
}

TEST_P(KernelRuns, AnAccumulatorOfVectorsSumsContiguousLoads) {
  KernelBuilder b;
  const Id out = b.param(0, kFloat32, kLanes), in = b.param(1, kFloat32, 10 * kLanes);
  const Id zero = index_const(b.g, 0);
  const Id acc = b.reg(0, kFloat32.vec(kLanes), 1);
  b.store_at(acc, zero, broadcast(b.g, constant(b.g, kFloat32, 0.0), kLanes));
  b.order.insert(b.order.end() - 1, b.g.src(b.order.back(), 1));  // the broadcast, before its store
  const Id i = b.loop(10, 0);
  const Id x = b.load_at(in, b.put(mul(b.g, i, index_const(b.g, kLanes))), kLanes);
  const Id old = b.load_at(acc, zero, kLanes);
  b.store_at(acc, zero, b.put(add(b.g, old, x)));
  b.end(b.order.back(), i);
  b.store_at(
      out, zero,
      b.load_at(b.g.add(Op::kAfter, kFloat32.vec(kLanes), {acc, b.order.back()}), zero, kLanes));
  std::vector<float> input = counting(10 * kLanes), result(kLanes), expected(kLanes);
  for (size_t k = 0; k < input.size(); ++k) expected[k % kLanes] += input[k];
  run(*program(b.finish()), result, input);
  EXPECT_EQ(result, expected);
}

TEST_P(KernelRuns, LanesOfAVectorAreTakenApartAndPutTogether) {
  KernelBuilder b;
  const Id out = b.param(0, kFloat32, 4), in = b.param(1, kFloat32, 4);
  const Id zero = index_const(b.g, 0);
  const Id x = b.load_at(in, zero, 4);
  std::vector<Id> lanes;
  for (int64_t lane : {2, 0, 3, 1}) lanes.push_back(b.put(b.g.add(Op::kLane, kFloat32, {x}, lane)));
  b.store_at(out, zero, b.put(b.g.add(Op::kVectorize, kFloat32.vec(4), lanes)));
  std::vector<float> input = {1, 2, 3, 4}, result(4);
  run(*program(b.finish()), result, input);
  EXPECT_EQ(result, (std::vector<float>{3, 1, 4, 2}));
}

/// out[k] = in[k * stride] by a gather of 8 lanes.
TEST_P(KernelRuns, AVectorOffsetGathers) {
  for (DType offsets : {kInt32, kInt64}) {
    KernelBuilder b;
    const Id out = b.param(0, kFloat32, kLanes), in = b.param(1, kFloat32, 100);
    const Id three = b.put(broadcast(b.g, constant(b.g, offsets, 3), kLanes));
    const Id lanes = b.g.add(Op::kLanes, offsets.vec(kLanes));
    const Id x = b.load_at(in, b.put(mul(b.g, lanes, three)), kLanes);
    b.store_at(out, index_const(b.g, 0), x);
    std::vector<float> input = counting(100), result(kLanes);
    run(*program(b.finish()), result, input);
    for (int k = 0; k < kLanes; ++k) EXPECT_EQ(result[k], input[3 * k]);
  }
}

TEST_P(KernelRuns, AVectorOffsetScattersWhereTheGateIsTrue) {
  KernelBuilder b;
  const Id out = b.param(0, kFloat32, 20), in = b.param(1, kFloat32, kLanes);
  const Id x = b.load_at(in, index_const(b.g, 0), kLanes);
  const Id lanes = lane_numbers(b.g, kLanes);
  const Id two = b.put(broadcast(b.g, index_const(b.g, 2), kLanes));
  const Id six = b.put(broadcast(b.g, index_const(b.g, 6), kLanes));
  const Id gate = b.put(binary(b.g, Op::kCmpLt, lanes, six));
  b.store_at(out, b.put(mul(b.g, lanes, two)), x, gate);
  std::vector<float> input = counting(kLanes), result(20), expected(20);
  for (int k = 0; k < 6; ++k) expected[2 * k] = input[k];
  run(*program(b.finish()), result, input);
  EXPECT_EQ(result, expected);
}

// Elements past the end must neither be read nor written: the buffers end where the gate says.
TEST_P(KernelRuns, GatedVectorsStayInsideTheirBuffers) {
  for (bool scattered : {false, true}) {
    KernelBuilder b;
    const Id out = b.param(0, kInt16, 5), in = b.param(1, kInt16, 5);
    const Id lanes = lane_numbers(b.g, kLanes);
    const Id five = b.put(broadcast(b.g, index_const(b.g, 5), kLanes));
    const Id gate = b.put(binary(b.g, Op::kCmpLt, lanes, five));
    const Id offset = scattered ? lanes : index_const(b.g, 0);
    const Id other = b.put(broadcast(b.g, constant(b.g, kInt16, -7), kLanes));
    b.store_at(out, offset, b.load_at(in, offset, kLanes, gate, other), gate);
    auto input = std::make_unique<int16_t[]>(5), result = std::make_unique<int16_t[]>(5);
    for (int k = 0; k < 5; ++k) input[k] = static_cast<int16_t>(k * 11);
    void* const buffers[] = {result.get(), input.get()};
    program(b.finish())->launch(buffers, {}, {});
    for (int k = 0; k < 5; ++k) EXPECT_EQ(result[k], input[k]);
  }
}

TEST_P(KernelRuns, AClosedGateReadsTheAlternativeAndWritesNothing) {
  for (DType dtype : {kBool, kInt8, kFloat32, kFloat64}) {
    for (int lanes : {1, kLanes}) {
      KernelBuilder b;
      const Id out = b.param(0, dtype, kLanes), in = b.param(1, dtype, kLanes);
      const Id far = index_const(b.g, int64_t{1} << 50), zero = index_const(b.g, 0);
      const Id never = bool_const(b.g, false);
      const Id x = b.load_at(in, far, lanes, never, constant(b.g, dtype, 1));
      b.store_at(out, zero, x);
      b.store_at(out, far, x, never);
      std::vector<uint8_t> input(64), result(64), expected(64);
      const uint64_t one = memory_bits(dtype, convert(dtype, kInt32, Value::of_int(1)));
      for (int k = 0; k < lanes; ++k)
        std::memcpy(expected.data() + k * dtype.bytes(), &one, dtype.bytes());
      run(*program(b.finish()), result, input);
      EXPECT_EQ(result, expected) << name(dtype) << " x " << lanes;
    }
  }
}

TEST_P(KernelRuns, AnIfRunsItsBodyWhereItsConditionHolds) {
  KernelBuilder b;
  const Id out = b.param(0, kInt32, 10);
  const Id i = b.loop(10, 0);
  const Id condition = b.put(binary(b.g, Op::kCmpLt, i, index_const(b.g, 4)));
  const Id branch = b.put(b.g.add(Op::kIf, kVoid, {condition}));
  b.store_at(out, i, constant(b.g, kInt32, 5));
  b.put(b.g.add(Op::kEndIf, kVoid, {branch}));
  b.end(b.order.back(), i);
  std::vector<int32_t> result(10);
  run(*program(b.finish()), result);
  EXPECT_EQ(result, (std::vector<int32_t>{5, 5, 5, 5, 0, 0, 0, 0, 0, 0}));
}

TEST_P(KernelRuns, EachThreadComputesItsChunk) {
  KernelBuilder b;
  b.threads = 16;
  const Id out = b.param(0, kInt32, 16);
  const Id thread = b.g.add(Op::kSpecial, kInt32, {constant(b.g, kInt32, 16)},
                            special_arg(SpecialKind::kThreadId, 0));
  b.store_at(out, thread, b.put(mul(b.g, thread, thread)));
  const LoweredKernel kernel = b.finish();
  std::vector<int32_t> result(16);
  void* const buffers[] = {result.data()};
  LaunchDims dims;
  dims.threads = kernel.threads;
  program(kernel)->launch(buffers, {}, dims);
  for (int k = 0; k < 16; ++k) EXPECT_EQ(result[k], k * k);
}

TEST_P(KernelRuns, BoolsAreBytesInMemory) {
  KernelBuilder b;
  const Id out = b.param(0, kBool, 16), x = b.param(1, kBool, 16), y = b.param(2, kBool, 16);
  const Id zero = index_const(b.g, 0);
  const Id a = b.load_at(x, zero, 16), c = b.load_at(y, zero, 16);
  b.store_at(out, zero, b.put(binary(b.g, Op::kXor, a, c)));
  std::vector<uint8_t> result(16, 9), in0(16), in1(16);
  for (int k = 0; k < 16; ++k) in0[k] = k & 1, in1[k] = k >> 1 & 1;
  run(*program(b.finish()), result, in0, in1);
  for (int k = 0; k < 16; ++k) EXPECT_EQ(result[k], in0[k] ^ in1[k]);
}

TEST_P(KernelRuns, LocalMemoryHoldsAPanel) {
  KernelBuilder b;
  const Id out = b.param(0, kFloat32, 4), in = b.param(1, kFloat32, 4);
  const Id panel = b.put(b.g.add(Op::kDefineLocal, kFloat32, {index_const(b.g, 4)}, 0));
  const Id i = b.loop(4, 0);
  b.store_at(panel, i, b.load_at(in, i));
  b.end(b.order.back(), i);
  const Id j = b.loop(4, 1);
  const Id back = b.put(binary(b.g, Op::kSub, index_const(b.g, 3), j));
  b.store_at(out, j, b.load_at(panel, back));
  b.end(b.order.back(), j);
  std::vector<float> input = {1, 2, 3, 4}, result(4);
  run(*program(b.finish()), result, input);
  EXPECT_EQ(result, (std::vector<float>{4, 3, 2, 1}));
}

INSTANTIATE_TEST_SUITE_P(Runners, KernelRuns,
                         testing::Values(Runner::kHost, Runner::kGeneric, Runner::kInterpreter),
                         [](const auto& chosen) {
                           switch (chosen.param) {
                             case Runner::kHost: return "host";
                             case Runner::kGeneric: return "generic";
                             default: return "interpreter";
                           }
                         });

LoweredKernel copy_kernel(int64_t from, int64_t size) {
  KernelBuilder b;
  b.store_at(b.param(0, kFloat32, size), index_const(b.g, 0),
             b.load_at(b.param(1, kFloat32, size), index_const(b.g, from)));
  return b.finish();
}

TEST(Interpreter, NamesTheNodeThatLeavesItsBuffer) {
  std::vector<float> out(4), in(4);
  for (int64_t from : {-1, 4}) {
    const auto program = make_interpreted(copy_kernel(from, 4));
    try {
      run(*program, out, in);
      FAIL() << "it read element " << from;
    } catch (const InternalError& error) {
      EXPECT_NE(std::string(error.what()).find("LOAD"), std::string::npos) << error.what();
    }
  }
}

TEST(Interpreter, RefusesWhatOnlyACompilerCanDo) {
  const auto device = open_interpreter();
  EXPECT_EQ(device->language(), "");
  EXPECT_THROW(device->compile("", "f"), DeviceError);
  EXPECT_THROW(device->load({}, "f"), DeviceError);
}

TEST(RenderLlvm, CompilesForTheOtherArchitectureWithRelocationsThatTheLoaderKnows) {
  KernelBuilder b;
  const Id out = b.param(0, kFloat32, 64), in = b.param(1, kFloat32, 64);
  const Id i = b.loop(16, 0);
  const Id offset = b.put(mul(b.g, i, index_const(b.g, 4)));
  const Id x = b.load_at(in, offset, 4);
  std::vector<Id> numbers;
  for (double value : {0.1, 0.2, 0.3, 0.4}) numbers.push_back(constant(b.g, kFloat32, value));
  const Id table = b.put(b.g.add(Op::kVectorize, kFloat32.vec(4), numbers));
  b.store_at(out, offset, b.put(mul(b.g, x, table)));
  b.end(b.order.back(), i);
  const LoweredKernel kernel = b.finish();
  const auto object = compile_llvm(render_llvm(kernel, generic_stranger()));
  const LoadedObject loaded(object);
  EXPECT_NE(loaded.function(kernel.name), nullptr);
  EXPECT_FALSE(loaded.is_for_host());
  EXPECT_THROW(cpu().load(object, kernel.name), DeviceError);
}

TEST(RenderLlvm, SeveralThreadsCompileAtOnce) {
  std::vector<std::thread> threads;
  std::atomic<int> right = 0;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([t, &right] {
      for (int k = 0; k < 5; ++k) {
        std::vector<float> out(1), in = counting(100);
        run(*compiled(copy_kernel(t * 10 + k, 100)), out, in);
        right += out[0] == in[t * 10 + k];
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right, 20);
}

}  // namespace
}  // namespace loom
