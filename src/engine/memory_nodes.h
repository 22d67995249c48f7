// Where a tensor's value lies, as far as its node tells.
#pragma once
#include <vector>

#include "ir/graph.h"

namespace loom {

/// x of RESHAPE(RESHAPE(x)).
Id below_reshapes(const Graph& graph, Id id);
/// The BUFFER that the node is the content of, in order and whole; 0 when it must be computed.
Id realized_buffer(const Graph& graph, Id id);
/// The BUFFER that a root's own memory is, also while assignments to it are pending; 0 when it has
/// none.
Id own_buffer(const Graph& graph, Id id);
/// What each of some AFTER nodes is a later version of: memory, as it is before any of them. The
/// nodes ascend, and where one is a version of another AFTER, that is among them.
std::vector<Id> assigned_memory(const Graph& graph, std::span<const Id> afters);
/// The CONST that every element of the node is; 0 when it is not uniform.
Id uniform_constant(const Graph& graph, Id id);
/// All nodes below the roots, sources before their users, in the order in which a walk from the
/// roots leaves them. It depends on structure only, not on ids.
std::vector<Id> postorder(const Graph& graph, std::span<const Id> roots);
/// Nodes of the program that lie on some device, by id: the DEVICE node, or 0 for constants.
std::vector<Id> device_of_nodes(const Graph& graph, std::span<const Id> ascending);

}  // namespace loom
