// What the small parts of base cost: build/micro --benchmark_filter=ThreadPool
#include <benchmark/benchmark.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <thread>

#include "base/hash.h"
#include "base/lru_cache.h"
#include "base/target.h"
#include "base/thread_pool.h"

namespace loom {
namespace {

/// From the call to the return of a loop with one small body per thread: the price of a launch.
void launch_thread_pool(benchmark::State& state) {
  ThreadPool pool(static_cast<size_t>(host_target().threads));
  for (auto _ : state) {
    pool.parallel_for(pool.threads(), [](size_t i) { benchmark::DoNotOptimize(i); });
  }
}
BENCHMARK(launch_thread_pool)->Name("ThreadPool/launch")->UseRealTime();

/// The same after a pause in which the threads fell asleep.
void launch_sleeping_thread_pool(benchmark::State& state) {
  ThreadPool pool(static_cast<size_t>(host_target().threads));
  for (auto _ : state) {
    state.PauseTiming();
    std::this_thread::sleep_for(std::chrono::microseconds(200));
    state.ResumeTiming();
    pool.parallel_for(pool.threads(), [](size_t i) { benchmark::DoNotOptimize(i); });
  }
}
BENCHMARK(launch_sleeping_thread_pool)->Name("ThreadPool/wake")->UseRealTime()->Iterations(2000);

void hash_text(benchmark::State& state) {
  std::string text(static_cast<size_t>(state.range(0)), 'x');
  for (auto _ : state) benchmark::DoNotOptimize(hash_string(text));
  state.SetBytesProcessed(state.iterations() * state.range(0));
}
BENCHMARK(hash_text)->Name("Hash/bytes")->Arg(8)->Arg(64)->Arg(64 << 10);

void find_in_lru_cache(benchmark::State& state) {
  LruCache<uint64_t, int> cache(1 << 20);
  for (uint64_t key = 0; key < 1000; key++) cache.put(key, 1, 1);
  uint64_t key = 0;
  for (auto _ : state) benchmark::DoNotOptimize(cache.get(key++ % 1000));
}
BENCHMARK(find_in_lru_cache)->Name("LruCache/get");

}  // namespace
}  // namespace loom
