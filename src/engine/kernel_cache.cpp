#include "engine/kernel_cache.h"

#include <algorithm>
#include <thread>

#include "base/thread_pool.h"
#include "engine/compile.h"

namespace loom {
namespace {

// Threads that compile, apart from those that run kernels.
ThreadPool& compile_pool() {
  static ThreadPool* const pool = new ThreadPool(std::max(1U, std::thread::hardware_concurrency()));
  return *pool;
}

}  // namespace

std::vector<KernelCache::Kernel> KernelCache::get(const Graph& graph,
                                                  std::span<const KernelRequest> requests) {
  std::vector<Id> sinks;
  sinks.reserve(requests.size());
  for (const KernelRequest& request : requests) sinks.push_back(request.sink);
  const std::vector<StructuralHash> hashes = structural_hash(graph, sinks);
  std::vector<Key> keys;
  for (size_t i = 0; i < hashes.size(); i++) keys.push_back({hashes[i], requests[i].device});
  std::vector<Kernel> found(keys.size());
  // A kernel that another thread was compiling may have failed there: then it is our turn.
  while (std::ranges::find(found, nullptr) != found.end()) {
    compile(graph, requests, keys, claim(keys, found), found);
  }
  return found;
}

int64_t KernelCache::compiled() const {
  const std::lock_guard lock(mutex_);
  return compiled_;
}

// Fills in what is there and takes on what is missing, by position. Waits for other threads only
// when nothing is left to do: one that waits holds no claim, so two never wait for each other.
std::vector<size_t> KernelCache::claim(const std::vector<Key>& keys, std::vector<Kernel>& found) {
  std::unique_lock lock(mutex_);
  std::vector<size_t> jobs;
  bool is_elsewhere = false;
  for (size_t i = 0; i < keys.size(); i++) {
    if (found[i] == nullptr) found[i] = kernels_.get(keys[i]);
    if (found[i] != nullptr) continue;
    if (std::ranges::find(in_progress_, keys[i]) != in_progress_.end()) {
      is_elsewhere = true;
    } else {
      in_progress_.push_back(keys[i]);
      jobs.push_back(i);
    }
  }
  if (jobs.empty() && is_elsewhere) finished_.wait(lock);
  return jobs;
}

void KernelCache::compile(const Graph& graph, std::span<const KernelRequest> requests,
                          const std::vector<Key>& keys, std::span<const size_t> jobs,
                          std::vector<Kernel>& found) {
  const auto run = [&](size_t k) {
    const size_t i = jobs[k];
    try {
      // The properties of a graph serve one thread at a time: each job has its own copy.
      Graph body;
      const Id sink = import(body, graph, requests[i].sink);
      found[i] = compile_kernel(body, sink, *requests[i].device);
    } catch (...) {
      finish(keys[i], nullptr);
      throw;
    }
    finish(keys[i], found[i]);
  };
  if (jobs.size() == 1)
    run(0);
  else
    compile_pool().parallel_for(jobs.size(), run);
}

void KernelCache::finish(const Key& key, const Kernel& kernel) {
  const std::lock_guard lock(mutex_);
  std::erase(in_progress_, key);
  if (kernel != nullptr) {
    compiled_++;
    kernels_.put(key, kernel, kernel->size);
  }
  finished_.notify_all();
}

}  // namespace loom
