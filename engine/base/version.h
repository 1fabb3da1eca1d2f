#pragma once

/// Version and git revision of this build, for `--version`, environment.json and reports.

#include <string_view>

namespace stagelane {

/// "0.1.0"
[[nodiscard]] std::string_view version();
/// Short revision, with "-dirty" when the tree had changes; "unknown" outside a checkout.
[[nodiscard]] std::string_view gitRevision();

}  // namespace stagelane
