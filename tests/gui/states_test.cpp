// Plan, Timeline, Charts and Report in their states, at the least size and at a usual one.

#include "tests/gui/page_states.h"

namespace stagelane::gui {
namespace {

const Look kSmall{QStringLiteral("dark"), QSize(1024, 700)};
const Look kUsual{QStringLiteral("light"), QSize(1600, 900)};

TEST_F(PageStates, SayWhatIsMissingAndWhatToDo) {
  expectEmpty(kUsual);
  expectNoEngine(kSmall);
}

TEST_F(PageStates, SayThatARunIsBeingReadAndStopIt) { expectLoadingRun(kSmall); }

TEST_F(PageStates, OfThePlanSayWhatIsWrongAndKeepWhatIsKnown) { expectPlanStates(kSmall); }

TEST_F(PageStates, KeepWhatWasMeasuredWhenARunFailsOrIsCanceled) {
  expectFailed(kSmall);
  expectFixOfFailed();
  expectCanceled(kUsual);
}

}  // namespace
}  // namespace stagelane::gui
