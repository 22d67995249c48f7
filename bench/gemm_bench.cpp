// Square float32 products: ours beside the best BLAS libraries and the machine's peak, in one run.
#include "base/str.h"
#include "bench/bench.h"
#include "bench/machine.h"
#include "bench/peers.h"
#include "loom/jit.h"
#include "loom/tensor.h"

namespace loom::bench {

namespace {

Result gflops_result(const std::string& id, int64_t n, std::span<const double> ns) {
  std::vector<double> rates;
  for (double t : ns)
    rates.push_back(2.0 * static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(n) /
                    t);
  return result_from(id, "GFLOP/s", rates, [](double value) { return value; });
}

int sample_count(int64_t n) { return n <= 256 ? 200 : n <= 512 ? 60 : 20; }

Result gemm_result(int64_t n) {
  Tensor a = Tensor::rand({n, n}, 1).realize(), b = Tensor::rand({n, n}, 2).realize();
  Jit product([](const Tensor& x, const Tensor& y) { return matmul(x, y); });
  return gflops_result(str("gemm.f32.", n), n,
                       sample_ns(5, sample_count(n), [&] { product(a, b); }));
}

double peer_gflops(int64_t n, SgemmFunction sgemm) {
  const std::vector<float> x(n * n, 0.5f), y(n * n, 0.25f);
  std::vector<float> z(n * n);
  auto work = [&] { sgemm(static_cast<int>(n), x.data(), y.data(), z.data()); };
  return gflops_result("", n, sample_ns(5, sample_count(n), work)).value;
}

}  // namespace

/// The peers' threads go on spinning between their calls, on our cores: they come last.
std::vector<Result> gemm_bench() {
  const double peak = machine()[0].value;
  const std::vector<int64_t> sizes = {256, 512, 1024};
  std::vector<Result> results;
  for (int64_t n : sizes) results.push_back(gemm_result(n));
  for (size_t i = 0; i < sizes.size(); i++) {
    results[i].peers["machine.fma"] = peak;
    for (const auto& [name, sgemm] : sgemm_peers())
      results[i].peers[name] = peer_gflops(sizes[i], sgemm);
  }
  return results;
}

}  // namespace loom::bench
