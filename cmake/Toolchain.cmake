# How every file of Rangeloom is compiled: language, warnings, sanitizers, linker and compiler cache.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CXX_SCAN_FOR_MODULES OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release or Debug" FORCE)
endif()

set(LOOM_SANITIZE "" CACHE STRING "Sanitizers for every file, as in -fsanitize=...")
option(LOOM_VERIFY "Check the graph after every pass unless the settings say otherwise" OFF)

# Our results follow NumPy to the bit, so the compiler may not fuse a multiplication with an addition on its own.
add_compile_options(-ffp-contract=off -ffunction-sections -fdata-sections)
add_compile_options(
  -Wall -Wextra -Wpedantic -Werror -Wconversion -Wnon-virtual-dtor -Woverloaded-virtual -Wold-style-cast
  -Wcast-qual -Wextra-semi -Wimplicit-fallthrough)
# Mixing int64_t with size_t is everyday work in index arithmetic; a warning for each buries the ones that matter.
add_compile_options(-Wno-sign-conversion)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # Plain -Wshadow of g++ takes the enumerators of scoped enums (Op::kIndex) for names that hide ours (DType kIndex).
  add_compile_options(-Wduplicated-cond -Wduplicated-branches -Wshadow=local)
  # g++ 12 warns about std::string's own operator+ (GCC bug 105651).
  add_compile_options(-Wno-restrict)
else()
  add_compile_options(-Wshadow)
endif()

if(LOOM_VERIFY)
  add_compile_definitions(LOOM_VERIFY=1)
endif()

if(LOOM_SANITIZE)
  add_compile_options(-fsanitize=${LOOM_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${LOOM_SANITIZE})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # The instrumented control flow defeats g++'s flow analysis.
    add_compile_options(-Wno-maybe-uninitialized -Wno-stringop-overflow)
  endif()
endif()

# --as-needed drops what LLVM's archives name but our part of them never calls (libz3, libxml2, ...).
add_link_options(-Wl,--as-needed -Wl,--gc-sections)
find_program(LOOM_LLD NAMES ld.lld-19 ld.lld)
if(LOOM_LLD)
  # g++ looks for a program called "ld.lld", which Debian's lld-19 installs only beside LLVM.
  get_filename_component(lld_real ${LOOM_LLD} REALPATH)
  get_filename_component(lld_dir ${lld_real} DIRECTORY)
  add_link_options(-fuse-ld=lld -B${lld_dir})
endif()

find_program(LOOM_CCACHE ccache)
if(LOOM_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # These three let ccache work with a precompiled header; base_dir makes the cache fit a checkout elsewhere.
  set(CMAKE_CXX_COMPILER_LAUNCHER
    ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
    CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} ${LOOM_CCACHE})
endif()
