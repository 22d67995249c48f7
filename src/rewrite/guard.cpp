#include "rewrite/guard.h"

namespace loom::pattern {

bool is_positive(const Graph& g, Id id) {
  if (is_const(g, id))
    return int_value(g, id) > 0;  // not so for uint64 constants that int64 doesn't hold
  return g.bounds(id).lo > 0;
}
bool is_nonnegative(const Graph& g, Id id) { return g.bounds(id).lo >= 0; }
bool is_nonzero(const Graph& g, Id id) { return g.bounds(id).lo > 0 || g.bounds(id).hi < 0; }
bool is_below(const Graph& g, Id id, Id limit) { return g.bounds(id).hi < g.bounds(limit).lo; }
bool is_not_constant(const Graph& g, Id id) { return scalar_constant(g, id) == 0; }
bool is_same_dtype(const Graph& g, Id a, Id b) { return g.dtype(a) == g.dtype(b); }

}  // namespace loom::pattern
