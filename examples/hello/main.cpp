#include <iostream>

#include "loom/tensor.h"

int main() {
  loom::Tensor x({1, 2, 3});
  std::cout << x + 1 << '\n';
}
