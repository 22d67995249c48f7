#pragma once

#include <concepts>
#include <sstream>
#include <string>
#include <string_view>
#include <type_traits>

namespace loom {

/// How str() writes one value: text as it is, bools as words, 8-bit integers as numbers, sequences
/// as "(a, b, c)", and everything else as operator<< does.
template <class T>
void write_value(std::ostream& out, const T& value) {
  if constexpr (std::is_same_v<T, bool>) {
    out << (value ? "true" : "false");
  } else if constexpr (std::is_same_v<T, int8_t> || std::is_same_v<T, uint8_t>) {
    out << static_cast<int>(value);
  } else if constexpr (std::is_convertible_v<const T&, std::string_view> ||
                       requires { out << value; }) {
    out << value;
  } else {
    const char* separator = "(";
    for (const auto& item : value) {
      out << separator;
      write_value(out, item);
      separator = ", ";
    }
    out << (*separator == '(' ? "()" : ")");
  }
}

/// Concatenates the text of its arguments: str("shape ", shape, " has ", n, " elements").
template <class... Parts>
std::string str(const Parts&... parts) {
  std::ostringstream out;
  (write_value(out, parts), ...);
  return std::move(out).str();
}

}  // namespace loom
