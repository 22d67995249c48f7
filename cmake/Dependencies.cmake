# Everything that comes from Debian's packages; docs/dependencies.md says why each is here.

find_package(Threads REQUIRED)
find_package(SQLite3 REQUIRED)
find_package(PNG REQUIRED)
find_package(JPEG REQUIRED)
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(GTest REQUIRED)
find_package(benchmark REQUIRED)

# LLVM, linked statically: one copy of what we use in the executable starts faster than the 120 MB shared library.
# Only the machines we compile for; every other back end stays out.
# Its package also looks for two libraries that only parts we do not link would need.
set(CMAKE_DISABLE_FIND_PACKAGE_LibEdit TRUE)
set(CMAKE_DISABLE_FIND_PACKAGE_CURL TRUE)
find_package(LLVM 19.1 REQUIRED CONFIG HINTS /usr/lib/llvm-19)
llvm_map_components_to_libnames(llvm_libs
  passes irreader
  x86codegen x86asmparser x86desc x86info
  aarch64codegen aarch64asmparser aarch64desc aarch64info)
add_library(loom_llvm INTERFACE)
target_include_directories(loom_llvm SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS})
target_link_libraries(loom_llvm INTERFACE ${llvm_libs})

# Peers for the benchmark table; the build works without them.
find_package(OpenBLAS QUIET CONFIG)
# oneDNN's own CMake package insists on OpenCL, which the CPU part that we compare with does not need.
find_library(ONEDNN_LIBRARY dnnl)
find_path(ONEDNN_INCLUDE_DIR dnnl.hpp)
