// All of Rangeloom's public interface.
#pragma once
#include "loom/dtype.h"
#include "loom/error.h"
#include "loom/jit.h"
#include "loom/nn.h"
#include "loom/settings.h"
#include "loom/tensor.h"
