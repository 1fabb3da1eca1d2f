// Names of strategies stand in their table; other code asks a row of it.
#pragma once

#include <string>
#include <vector>

#include "tests/structure/size_rules.h"

namespace stagelane::structure {

/// Where a file outside of engine/plan/strategies.* says `Strategy::` and an enumerator, compares
/// with one of the names in quotes or with the row of one, or writes the name into a variant:
/// `path:line`.
std::vector<std::string> findStrategyNames(const SourceText& file,
                                           const std::vector<std::string>& names);

}  // namespace stagelane::structure
