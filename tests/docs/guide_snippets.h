#pragma once
#include <map>
#include <ostream>
#include <string>

/// The programs of docs/guide.md by name; each prints its output.
std::map<std::string, void (*)(std::ostream&)> guide_snippets();
