#include "base/thread_pool.h"

#include <algorithm>
#include <cstdint>

#include "base/timing.h"

namespace loom {
namespace {

// A sleeping thread takes some 50 us to wake. Spinning about as long costs at most twice the best.
constexpr int64_t kSpinNs = 50'000;
constexpr int kSpinsPerClockReading = 32;

// Whether this thread is inside a body: a loop in a loop runs inline, the outer one has the
// threads.
thread_local bool inside_loop = false;

void pause_briefly() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

/// Waits a little for the condition; says whether it came true.
template <class Condition>
bool spin_until(const Condition& condition) {
  int64_t end = now_ns() + kSpinNs;
  do {
    for (int i = 0; i < kSpinsPerClockReading; i++) {
      if (condition()) return true;
      pause_briefly();
    }
  } while (now_ns() < end);
  return false;
}

}  // namespace

ThreadPool::ThreadPool(size_t threads) {
  workers_.reserve(threads);
  for (size_t i = 1; i < threads; i++) workers_.emplace_back([this] { work(); });
}

ThreadPool::~ThreadPool() {
  {
    std::lock_guard lock(mutex_);
    stop_ = true;
  }
  work_ready_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void ThreadPool::parallel_for(size_t count, function_ref<void(size_t)> body) {
  std::unique_lock workers_are_ours(callers_, std::defer_lock);
  bool alone = count < 2 || workers_.empty() || inside_loop || !workers_are_ours.try_lock();
  if (!alone) return share(count, body);
  for (size_t i = 0; i < count; i++) body(i);
}

void ThreadPool::share(size_t count, function_ref<void(size_t)> body) {
  body_ = &body;
  count_ = count;
  finished_.store(0, std::memory_order_relaxed);
  unclaimed_.store(count);
  wake(count - 1);
  inside_loop = true;
  while (run_one()) {
  }
  inside_loop = false;
  wait_for_others(count);
  if (exception_) std::rethrow_exception(std::exchange(exception_, nullptr));
}

/// Claims an index and runs its body; false when all are claimed.
bool ThreadPool::run_one() {
  size_t left = unclaimed_.load(std::memory_order_relaxed);
  do {
    if (left == 0) return false;
  } while (!unclaimed_.compare_exchange_weak(left, left - 1, std::memory_order_acq_rel));
  size_t count = count_, index = count - left;
  try {
    (*body_)(index);
  } catch (...) {
    keep_exception(index);
  }
  if (finished_.fetch_add(1) + 1 == count && caller_sleeps_) {
    std::lock_guard lock(mutex_);
    loop_done_.notify_one();
  }
  return true;
}

void ThreadPool::keep_exception(size_t index) {
  std::lock_guard lock(mutex_);
  if (exception_ && failed_index_ < index) return;
  exception_ = std::current_exception();
  failed_index_ = index;
}

void ThreadPool::wait_for_others(size_t count) {
  auto done = [&] { return finished_ == count; };
  if (spin_until(done)) return;
  std::unique_lock lock(mutex_);
  caller_sleeps_ = true;
  loop_done_.wait(lock, done);
  caller_sleeps_ = false;
}

void ThreadPool::wake(size_t wanted) {
  size_t sleepers = sleepers_;
  if (sleepers == 0) return;
  {
    std::lock_guard lock(mutex_);
  }  // whoever is between its last look and its sleep gets there first
  if (wanted >= sleepers) return work_ready_.notify_all();
  for (size_t i = 0; i < wanted; i++) work_ready_.notify_one();
}

void ThreadPool::work() {
  inside_loop = true;
  while (wait_for_work()) {
    while (run_one()) {
    }
  }
}

/// Returns when there may be something to claim; false when the pool ends.
bool ThreadPool::wait_for_work() {
  auto ready = [&] { return unclaimed_ != 0 || stop_; };
  if (!spin_until(ready)) {
    std::unique_lock lock(mutex_);
    sleepers_++;
    work_ready_.wait(lock, ready);
    sleepers_--;
  }
  return !stop_;
}

}  // namespace loom
