// How long a user waits for a fresh process that does next to nothing, with a warm disk cache.
#include "bench/bench.h"

namespace loom::bench {

std::vector<Result> hello_bench() {
  std::string hello = executable_folder() + "/examples/hello";
  auto milliseconds = [](double ns) { return ns / 1e6; };
  return {result_from("hello.warm_ms", "ms", sample_ns(3, 30, [&] { run_process({hello}, {}); }),
                      milliseconds)};
}

}  // namespace loom::bench
