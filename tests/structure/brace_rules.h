// One brace style: a body that fits on the line of its condition is there, without braces.
#pragma once

#include <string>
#include <vector>

#include "tests/structure/size_rules.h"

namespace stagelane::structure {

/// Where an if, a for or a while without an else has braces around one statement that would fit on
/// its line: `path:line`. For sources formatted by clang-format.
std::vector<std::string> findNeedlessBraces(const SourceText& file);

}  // namespace stagelane::structure
