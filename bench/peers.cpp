#include "bench/peers.h"

#include <dlfcn.h>

#include "bench/bench.h"

namespace loom::bench {

std::map<std::string, SgemmFunction> sgemm_peers() {
  std::map<std::string, SgemmFunction> found;
  void* module = dlopen((executable_folder() + "/libloom_peers.so").c_str(), RTLD_NOW | RTLD_LOCAL);
  if (module == nullptr) return found;
  for (const char* name : {"onednn", "openblas"}) {
    void* symbol = dlsym(module, ("loom_peer_sgemm_" + std::string(name)).c_str());
    if (symbol != nullptr) found[name] = reinterpret_cast<SgemmFunction>(symbol);
  }
  return found;
}

}  // namespace loom::bench
