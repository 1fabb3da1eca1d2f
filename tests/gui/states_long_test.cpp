// Pictures of Plan, Timeline, Charts and Report in every state, theme and size.

#include "tests/gui/page_states.h"

namespace stagelane::gui {
namespace {

class EveryLook : public PageStates,
                  public testing::WithParamInterface<std::pair<const char*, int>> {
 protected:
  [[nodiscard]] static Look look() {
    const auto [theme, width] = GetParam();
    return {QString::fromLatin1(theme), width < 1200 ? QSize(width, 700) : QSize(width, 900)};
  }
};

TEST_P(EveryLook, IsShownInEveryState) {
  expectEmpty(look());
  expectDone(look());
  expectFailed(look());
  expectCanceled(look());
  expectNoEngine(look());
  expectRunning(look());
  expectLoading(look());
  expectLoadingRun(look());
  expectPlanStates(look());
}

INSTANTIATE_TEST_SUITE_P(All, EveryLook,
                         testing::Values(std::pair("light", 1024), std::pair("light", 1600),
                                         std::pair("dark", 1024), std::pair("dark", 1600)));

}  // namespace
}  // namespace stagelane::gui
