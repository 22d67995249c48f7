// Values of dtype index get a machine type.
//
// In:  any kernel-level form.
// Out: the same without dtype index. Scalars are int64, which costs a 64-bit machine nothing and
//      needs no widening where it is added to an address. Vectors are int32, so that they have as
//      many lanes as the data they address, where that changes nothing: interval analysis proves
//      that the value fits, or only its low bits count, because all that it is used for is an
//      offset into a buffer of fewer than 2^31 elements, or sums and products of which that is
//      true.
#pragma once
#include "ir/graph.h"

namespace loom {

Id narrow_index(Graph& g, Id sink);

}  // namespace loom
