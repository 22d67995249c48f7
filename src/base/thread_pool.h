#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "loom/function_ref.h"

namespace loom {

/// Threads that wait for loops to share. A wait begins with a short spin, so that kernels launched
/// one after the other find the threads awake; after that they sleep and cost nothing.
class ThreadPool {
 public:
  /// A pool in which `threads` threads work on a loop, one of them being the caller's.
  explicit ThreadPool(size_t threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  size_t threads() const { return workers_.size() + 1; }

  /// Calls body(0), ..., body(count - 1), each once, on any threads in any order, and returns when
  /// all are done. A call from inside a body, or while another thread's loop has the workers, runs
  /// on the calling thread alone. When bodies throw, the exception of the lowest index comes out.
  /// Allocates nothing.
  void parallel_for(size_t count, function_ref<void(size_t)> body);

 private:
  void share(size_t count, function_ref<void(size_t)> body);
  bool run_one();
  void wait_for_others(size_t count);
  void wake(size_t wanted);
  void work();
  bool wait_for_work();
  void keep_exception(size_t index);

  // One loop at a time. A thread claims an index by decrementing unclaimed_. Until it has added
  // that index to finished_ the loop cannot end, so what it reads of the loop after the claim is of
  // the loop it claimed from, even when it was about to claim from the loop before.
  const function_ref<void(size_t)>* body_ = nullptr;
  size_t count_ = 0;
  size_t failed_index_ = 0;       // guarded by mutex_
  std::exception_ptr exception_;  // guarded by mutex_
  alignas(64) std::atomic<size_t> unclaimed_{0};
  alignas(64) std::atomic<size_t> finished_{0};

  // Who sleeps. Each sleeper announces itself before it looks a last time, and each waker changes
  // what the sleeper looks for before it looks for sleepers; so one of them sees the other.
  alignas(64) std::atomic<size_t> sleepers_{0};
  std::atomic<bool> caller_sleeps_{false};
  std::atomic<bool> stop_{false};
  std::mutex mutex_;
  std::condition_variable work_ready_, loop_done_;

  std::mutex callers_;  // held by the one whose loop has the workers
  std::vector<std::thread> workers_;
};

}  // namespace loom
