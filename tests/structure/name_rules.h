// Names of strategies are in their table only; other code uses a row of the table.
#pragma once

#include <string>
#include <vector>

#include "tests/structure/size_rules.h"

namespace stagelane::structure {

/// Where a file outside of engine/plan/strategies.* has `Strategy::` and an enumerator, one of the
/// names as a literal of any form, or a comparison with the row of one: `path:line`. Places in
/// which the same word names something else are listed in the source.
std::vector<std::string> findStrategyNames(const SourceText& file,
                                           const std::vector<std::string>& names);

}  // namespace stagelane::structure
