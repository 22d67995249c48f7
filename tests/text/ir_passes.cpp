// What text tests can ask of the graph itself.
#include "base/error.h"
#include "ir/build.h"
#include "ir/verify.h"
#include "tests/text/text_case.h"

namespace loom {
namespace {

// Every node's line, and behind it what `describe` says of the node.
template <class Describe>
std::string annotated(const ParsedGraph& parsed, const Describe& describe) {
  std::string text;
  for (Id id : reachable(parsed.graph, parsed.roots)) {
    text += print_node(parsed.graph, id) + "   " + describe(id) + '\n';
  }
  return text;
}

std::string with_bounds(ParsedGraph& parsed) {
  return annotated(parsed, [&](Id id) {
    const Interval bounds = parsed.graph.bounds(id);
    return str("in ", bounds.lo, " .. ", bounds.hi);
  });
}

std::string with_shapes(ParsedGraph& parsed) {
  return annotated(parsed, [&](Id id) { return str(shape_values(parsed.graph, id)); });
}

std::string with_ranges(ParsedGraph& parsed) {
  return annotated(parsed, [&](Id id) {
    std::vector<std::string> ranges;
    for (Id range : parsed.graph.ranges(id)) ranges.push_back(str('%', range));
    return str(ranges);
  });
}

template <Stage kStage>
std::string verified(ParsedGraph& parsed) {
  try {
    verify(parsed.graph, parsed.roots, kStage);
    return "ok\n";
  } catch (const InternalError& problem) {
    return problem.what() + std::string("\n");
  }
}

const TextPassEntry kPasses[] = {
    {"print", [](ParsedGraph& parsed) { return print(parsed.graph, parsed.roots); }},
    {"bounds", with_bounds},
    {"shapes", with_shapes},
    {"ranges", with_ranges},
    {"verify tensor", verified<Stage::kTensor>},
    {"verify kernel", verified<Stage::kKernel>},
    {"verify linear", verified<Stage::kLinear>},
};

}  // namespace
}  // namespace loom
