#pragma once

/// Where the tests find the checkout, the programs and their data. Functions, not macros: a path in
/// a compiler's command would keep ccache from finding the objects of another checkout.

#include <string>

namespace stagelane::checkout {

/// The root of the checkout.
[[nodiscard]] std::string root();
/// The folder with `stagelane` and `stagelane-engine`.
[[nodiscard]] std::string programs();
/// tests/data.
[[nodiscard]] std::string testData();

}  // namespace stagelane::checkout
