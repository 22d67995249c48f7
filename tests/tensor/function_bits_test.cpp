// Functions give the same bits on every device, and lie as near to the exact value as
// docs/numerics.md says.
#include <gtest/gtest.h>

#include <bit>
#include <functional>
#include <random>

#include "loom/loom.h"
#include "tests/oracle/ulps.h"
#include "tests/tensor/check.h"

namespace loom::testing {
namespace {

struct Function {
  const char* name;
  std::function<Tensor(const Tensor&)> tensor;
  double (*exact)(double);
  double ulps;
};

const Function kFunctions[] = {
    {"exp2", [](const Tensor& x) { return x.exp2(); }, std::exp2, 0.85},
    {"log2", [](const Tensor& x) { return x.log2(); }, std::log2, 0.91},
    {"sin", [](const Tensor& x) { return x.sin(); }, std::sin, 0.9},
    {"exp", [](const Tensor& x) { return x.exp(); }, std::exp, 0.9},
    {"log", [](const Tensor& x) { return x.log(); }, std::log, 0.91},
    {"cos", [](const Tensor& x) { return x.cos(); }, std::cos, 0.9},
    {"pow", [](const Tensor& x) { return x.pow(1.75); }, [](double x) { return std::pow(x, 1.75); },
     1},
    {"tan", [](const Tensor& x) { return x.tan(); }, std::tan, 2.5},
    {"tanh", [](const Tensor& x) { return x.tanh(); }, std::tanh, 1.5},
    {"rsqrt", [](const Tensor& x) { return x.rsqrt(); }, [](double x) { return 1 / std::sqrt(x); },
     1.5},
    {"sigmoid", [](const Tensor& x) { return x.sigmoid(); },
     [](double x) { return 1 / (1 + std::exp(-x)); }, 2.5},
};

// Floats of all magnitudes, and ones of the size that functions are mostly asked about.
std::vector<float> sample_of_floats() {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<float> usual(-12, 12);
  std::vector<float> sample;
  for (int k = 0; k < 10'000; ++k)
    sample.insert(sample.end(),
                  {std::bit_cast<float>(static_cast<uint32_t>(random())), usual(random)});
  return sample;
}

TEST(Functions, AreAsExactAsDocumentedAndTheSameOnEveryDevice) {
  const std::vector<float> sample = sample_of_floats();
  for (const Function& function : kFunctions) {
    std::vector<std::vector<float>> results;
    for (const std::string& device : devices()) {
      results.push_back(function.tensor(Tensor(sample, {}, device)).to_vector<float>());
      const Worst<float> worst = worst_of(results.back(), function.exact, sample);
      EXPECT_LE(worst.ulps, function.ulps) << function.name << " on " << device << ": " << worst;
    }
    for (size_t i = 0; i < sample.size(); ++i) {
      const float a = results[0][i], b = results[1][i];
      ASSERT_TRUE(std::bit_cast<uint32_t>(a) == std::bit_cast<uint32_t>(b) ||
                  (std::isnan(a) && std::isnan(b)))
          << function.name << " of " << sample[i];
    }
  }
}

}  // namespace
}  // namespace loom::testing
