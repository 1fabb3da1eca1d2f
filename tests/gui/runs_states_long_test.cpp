// Pictures of the Runs page in every state, theme and size.

#include "tests/gui/runs_states.h"

namespace stagelane::gui {
namespace {

class EveryLookOfRuns : public RunsStates,
                        public testing::WithParamInterface<std::pair<const char*, int>> {};

TEST_P(EveryLookOfRuns, IsShownInEveryState) {
  const auto [theme, width] = GetParam();
  const Look look{QString::fromLatin1(theme), QSize(width, width < 1200 ? 700 : 900)};
  expectEmpty(look);
  expectLoading(look);
  expectFailed(look);
  expectCanceled(look);
  expectUnreadable(look);
  expectNoEngine(look);
  expectRunning(look);
}

INSTANTIATE_TEST_SUITE_P(All, EveryLookOfRuns,
                         testing::Values(std::pair("light", 1024), std::pair("light", 1600),
                                         std::pair("dark", 1024), std::pair("dark", 1600)));

}  // namespace
}  // namespace stagelane::gui
