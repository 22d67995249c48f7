// REDUCE becomes an accumulator and loops get their final nesting.
//
// In:  vector form (no UPCAST, UNROLL or VECTOR ranges left), REDUCEs in loops of their own.
// Out: SINK(effects...) without REDUCE; each END closes one range, each range has one END:
//
//        init    = STORE(INDEX(AFTER(reg, outer ranges...), 0), identity)
//        running = AFTER(reg, init, closed ranges...)
//        update  = STORE(INDEX(running, 0), LOAD(INDEX(running, 0)) + value)
//        result  = LOAD(INDEX(AFTER(reg, END(GROUP(updates...), range)), 0))
//
//      REDUCEs of one loop share its END, and so do the kernel's stores. A product that is added
//      becomes MULACC where the target has it, a sum of products a chain of them. A kernel that
//      stores to a buffer it also reads does so AFTER its loads.
#pragma once
#include "base/target.h"
#include "ir/graph.h"

namespace loom {

Id lower_reduces(Graph& g, Id sink, const Target& target);

}  // namespace loom
