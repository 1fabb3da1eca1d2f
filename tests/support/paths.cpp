#include "tests/support/paths.h"

namespace stagelane::checkout {

std::string root() { return STAGELANE_SOURCE_DIR; }

std::string programs() { return STAGELANE_BIN_DIR; }

std::string testData() { return STAGELANE_TEST_DATA; }

}  // namespace stagelane::checkout
