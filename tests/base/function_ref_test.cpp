#include "loom/function_ref.h"

#include <gtest/gtest.h>

#include <string>

namespace loom {
namespace {

int twice(function_ref<int(int)> f, int x) { return f(f(x)); }

TEST(FunctionRef, CallsLambdasThatCaptureAndChange) {
  int calls = 0;
  auto count = [&](int x) { return calls++, x + 1; };
  EXPECT_EQ(twice(count, 5), 7);
  EXPECT_EQ(calls, 2);
  EXPECT_EQ(twice([n = 10](int x) mutable { return x + n++; }, 0), 21);
}

TEST(FunctionRef, CopiesPointAtTheSameCallable) {
  std::string text;
  auto append = [&](const std::string& part) { text += part; };
  function_ref<void(const std::string&)> first(append);
  function_ref<void(const std::string&)> second = first;
  first("a");
  second("b");
  EXPECT_EQ(text, "ab");
}

}  // namespace
}  // namespace loom
