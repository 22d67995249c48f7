// ResNet-50, forward, as a program of tensors: the workload of `bench compile`.
#pragma once
#include "loom/tensor.h"

namespace loom::bench {

/// Logits (batch, 1000) for images (batch, 3, 224, 224). The weights are float32 buffers that hold
/// nothing: the graph is for compiling, not for running.
Tensor resnet50(int64_t batch);

}  // namespace loom::bench
