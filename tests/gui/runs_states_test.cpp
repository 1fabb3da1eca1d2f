// The Runs page in its states, each at the least size or at a usual one.

#include "tests/gui/runs_states.h"

namespace stagelane::gui {
namespace {

class RunsStatesTest : public RunsStates {
 protected:
  const Look m_small{QStringLiteral("dark"), QSize(1024, 700)};
  const Look m_usual{QStringLiteral("light"), QSize(1600, 900)};
};

TEST_F(RunsStatesTest, SayWhatIsMissingAndWhatToDo) {
  expectEmpty(m_usual);
  expectUnreadable(m_small);
  expectNoEngine(m_small);
}

TEST_F(RunsStatesTest, ShowHowFarReadingIsAndStopIt) { expectLoading(m_usual); }

TEST_F(RunsStatesTest, SayHowARunEnded) {
  expectFailed(m_usual);
  expectCanceled(m_small);
}

}  // namespace
}  // namespace stagelane::gui
