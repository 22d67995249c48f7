// What the evaluators in this folder run on: the cells of each flat buffer, by its slot.
#pragma once
#include <cstdint>
#include <map>
#include <vector>

#include "ir/evaluate.h"

namespace loom::oracle {

using Cells = std::vector<Value>;
using Memory = std::map<int64_t, Cells>;

}  // namespace loom::oracle
