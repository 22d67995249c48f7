// What text tests can ask of code generation: the linear program of a kernel for a plain x86-64.
#include "base/target.h"
#include "codegen/codegen.h"
#include "tests/text/text_case.h"

namespace loom {
namespace {

std::string lowered(const ParsedGraph& parsed, bool optimise) {
  CodegenOptions options;
  options.optimise = optimise;
  const LoweredKernel kernel =
      lower_kernel(parsed.graph, parsed.roots.at(0), generic_x86_64(), options);
  return print(kernel.graph, kernel.linear);
}

const TextPassEntry kPasses[] = {
    {"lower plain", [](ParsedGraph& parsed) { return lowered(parsed, false); }},
    {"lower", [](ParsedGraph& parsed) { return lowered(parsed, true); }},
};

}  // namespace
}  // namespace loom
