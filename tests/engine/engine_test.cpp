// The engine on expressions written node by node: caches, memory and several threads.
#include "engine/engine.h"

#include <gtest/gtest.h>

#include <cstring>
#include <thread>

#include "ir/build.h"
#include "loom/error.h"

namespace loom::testing {
namespace {

Root buffer_of(const std::vector<float>& values, const std::string& device) {
  auto buffer = std::make_shared<Buffer>(engine().device(device), std::ssize(values) * 4);
  std::memcpy(buffer->data(), values.data(), values.size() * 4);
  const int64_t shape[] = {std::ssize(values)};
  return engine().add_buffer(std::move(buffer), kFloat32, shape);
}

// x * factor, another expression for each factor.
Root scaled(const Root& x, double factor) {
  Session::Access access = engine().access();
  Graph& g = access.graph();
  return access.root(mul(g, access[x], constant(g, kFloat32, factor)));
}

void realize(const Root& root) {
  const RealizeTarget target{root.place(), nullptr};
  engine().realize({&target, 1});
}

std::vector<float> values(const Root& root) {
  const Memory memory = engine().memory_of(root);
  if (memory.buffer == nullptr) return {};
  std::vector<float> result(memory.buffer->bytes() / 4);
  std::memcpy(result.data(), memory.buffer->data(), result.size() * 4);
  return result;
}

TEST(Engine, RealizesARootOnce) {
  for (const char* device : {"CPU", "INTERP"}) {
    const Root x = buffer_of({1, 2, 3}, device), y = scaled(x, 2);
    EXPECT_EQ(values(y), std::vector<float>{});
    realize(y);
    const Memory memory = engine().memory_of(y);
    realize(y);
    EXPECT_EQ(engine().memory_of(y).buffer, memory.buffer);
    EXPECT_EQ(values(y), (std::vector<float>{2, 4, 6}));
    EXPECT_EQ(memory.buffer->device().name(), device);
  }
}

TEST(Engine, RealizedValuesReplaceTheirExpressionEverywhere) {
  const Root x = buffer_of({1, 2}, "CPU"), y = scaled(x, 2), z = scaled(y, 10);
  realize(y);
  const Session::Access access = engine().access();
  const Graph& g = access.graph();
  EXPECT_EQ(g.src(access[z], 0), access[y]);  // not MUL(MUL(x, 2), 10) any more
  EXPECT_EQ(g.op(access[y]), Op::kReshape);
}

TEST(Engine, CompilesAKernelOnceForAllBuffers) {
  const Root a = buffer_of({1, 2, 3, 4, 5}, "CPU"), b = buffer_of({5, 4, 3, 2, 1}, "CPU");
  realize(scaled(a, 77));
  const int64_t compiled = engine().kernels().compiled();
  for (int i = 0; i < 5; i++) realize(scaled(b, 77));
  EXPECT_EQ(engine().kernels().compiled(), compiled);
  realize(scaled(b, 78));
  EXPECT_EQ(engine().kernels().compiled(), compiled + 1);
}

TEST(Engine, LetsGoOfMemoryThatNobodyNeeds) {
  Root x = buffer_of({1, 2}, "CPU");
  realize(scaled(x, 3));
  const size_t before = engine().buffers().size();
  for (int i = 0; i < 100; i++) {
    Root next = scaled(x, 0.5);
    realize(next);
    x = std::move(next);
  }
  EXPECT_LE(engine().buffers().size(), before + 20);
}

TEST(Engine, FailedRunsLeaveTheExpression) {
  const Root x = buffer_of({1, 2}, "CPU");
  Root broken;
  {
    Session::Access access = engine().access();
    Graph& g = access.graph();
    broken = access.root(g.add(Op::kCustom, kFloat32, {access[x]}, g.text("no such thing")));
  }
  EXPECT_THROW(realize(broken), Error);
  EXPECT_EQ(values(x), (std::vector<float>{1, 2}));
  realize(scaled(x, 2));
}

TEST(KernelCache, CompilesOnceWhenSeveralThreadsAskAtOnce) {
  const Root x = buffer_of({1, 2, 3, 4, 5, 6, 7}, "CPU");
  const int64_t compiled = engine().kernels().compiled();
  std::vector<Root> results;
  for (int i = 0; i < 4; i++) results.push_back(scaled(x, 1234.5));
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; i++) threads.emplace_back([&, i] { realize(results[i]); });
  for (std::thread& thread : threads) thread.join();
  for (const Root& result : results) EXPECT_EQ(values(result)[6], 7 * 1234.5F);
  EXPECT_EQ(engine().kernels().compiled(), compiled + 1);
}

TEST(KernelCache, DropsWhatWasNotUsedForLongest) {
  KernelCache cache(1);  // room for nothing
  Graph g;
  const Id buffer = g.add(Op::kParam, kFloat32, {index_const(g, 4)}, 0);
  const Id r = range(g, 4, 0, AxisType::kLoop);
  const Id body = store(g, index(g, buffer, r), constant(g, kFloat32, 2.0));
  const KernelRequest request{g.add(Op::kSink, kVoid, {g.add(Op::kEnd, kVoid, {body, r})}),
                              &engine().device("CPU")};
  const auto first = cache.get(g, {&request, 1}), second = cache.get(g, {&request, 1});
  EXPECT_EQ(cache.compiled(), 2);
  std::vector<float> memory(4);
  void* const address = memory.data();
  first[0]->program->launch({&address, 1}, {}, first[0]->dims);
  EXPECT_EQ(memory, (std::vector<float>{2, 2, 2, 2}));
  EXPECT_EQ(first[0]->writes, std::vector<bool>{true});
  EXPECT_EQ(first[0]->reads, std::vector<bool>{false});
}

}  // namespace
}  // namespace loom::testing
