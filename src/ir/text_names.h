// The words of the text form, shared by printer and parser.
#pragma once
#include <array>
#include <string_view>

namespace loom {

// By AddrSpace, as STAGE says it.
inline constexpr std::array<std::string_view, 3> kSpaceNames = {"GLOBAL", "LOCAL", "REG"};
// By SpecialKind.
inline constexpr std::array<std::string_view, 3> kSpecialNames = {"GROUP_ID", "LOCAL_ID",
                                                                  "THREAD_ID"};
inline constexpr std::string_view kRemovable = "removable";
// Marks the bits of a NaN that is not the usual one: nan:fff8000000000000.
inline constexpr std::string_view kNanBits = "nan:";

}  // namespace loom
