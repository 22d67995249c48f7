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
  std::string id = str("gemm.f32.", n);
  Result result = gflops_result(id, n, sample_ns(5, sample_count(n), [&] { product(a, b); }));
  std::vector<float> x = a.to_vector<float>(), y = b.to_vector<float>(), z(x.size());
  for (const auto& [name, sgemm] : sgemm_peers()) {
    auto work = [&] { sgemm(static_cast<int>(n), x.data(), y.data(), z.data()); };
    result.peers[name] = gflops_result(id, n, sample_ns(5, sample_count(n), work)).value;
  }
  result.peers["machine.fma"] = machine()[0].value;
  return result;
}

}  // namespace

std::vector<Result> gemm_bench() { return {gemm_result(256), gemm_result(512), gemm_result(1024)}; }

}  // namespace loom::bench
