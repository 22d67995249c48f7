// Libraries we compare with. They live in a module of their own (bench/peers/), so that only
// benchmarks load them.
#pragma once
#include <map>
#include <string>

namespace loom::bench {

/// c = a @ b for square row-major float32 matrices.
using SgemmFunction = void (*)(int n, const float* a, const float* b, float* c);

/// Peers by name ("onednn", "openblas"); empty when the module was not built.
std::map<std::string, SgemmFunction> sgemm_peers();

}  // namespace loom::bench
