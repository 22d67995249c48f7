// What text tests can ask of the rule tables.
#include "rewrite/rules/symbolic.h"
#include "tests/text/text_case.h"

namespace loom {
namespace {

std::string simplified(ParsedGraph& parsed) {
  for (Id& root : parsed.roots) root = simplify(parsed.graph, root);
  return print(parsed.graph, parsed.roots);
}

const TextPassEntry kPasses[] = {{"simplify", simplified}};

}  // namespace
}  // namespace loom
