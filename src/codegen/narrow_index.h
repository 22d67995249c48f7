// Values of dtype index get a machine type.
//
// In:  any kernel-level form.
// Out: the same without dtype index. Vectors are int32 where interval analysis proves that they and
// all that they are
//      made of fit, so that they have as many lanes as the data they address. Everything else is
//      int64, which costs a 64-bit machine nothing and needs no widening where it is added to an
//      address.
#pragma once
#include "ir/graph.h"

namespace loom {

Id narrow_index(Graph& g, Id sink);

}  // namespace loom
