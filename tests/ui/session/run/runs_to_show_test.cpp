#include "ui/session/run/runs_to_show.h"

#include <gtest/gtest.h>

namespace stagelane::ui {
namespace {

workspace::RunEntry entry(int number, const std::string& name) {
  workspace::RunEntry one;
  one.number = number;
  one.folder = "/runs/" + std::to_string(number);
  one.name = name;
  one.status = "done";
  one.startedAt = "2026-11-21T10:31:00";
  return one;
}

const ShownRun kShown{QStringLiteral("/runs/1"), QStringLiteral("toy"), QStringLiteral("done")};

TEST(RunsToShow, SayNumberDateAndStateAndTheExperimentWhereItIsAnother) {
  const auto choices = runsToShow({entry(2, "other"), entry(1, "toy")}, kShown, 10, 2026);
  ASSERT_EQ(choices.size(), 2U);
  EXPECT_EQ(choices[0].text, QStringLiteral("2 · 21 Nov 10:31 · done · other"));
  EXPECT_EQ(choices[1].text, QStringLiteral("1 · 21 Nov 10:31 · done"));
  EXPECT_EQ(choices[1].folder, kShown.folder);
}

TEST(RunsToShow, KeepTheShownRunHoweverOldItIs) {
  const auto choices =
      runsToShow({entry(3, "toy"), entry(2, "toy"), entry(1, "toy")}, kShown, 1, 2026);
  ASSERT_EQ(choices.size(), 2U);
  EXPECT_EQ(choices[0].folder, QStringLiteral("/runs/3"));
  EXPECT_EQ(choices[1].folder, QStringLiteral("/runs/1"));
}

TEST(RunsToShow, PutARunThatTheHistoryDoesNotKnowFirst) {
  const ShownRun running{QStringLiteral("/runs/9"), QStringLiteral("toy"),
                         QStringLiteral("running")};
  const auto choices = runsToShow({entry(2, "toy")}, running, 10, 2026);
  ASSERT_EQ(choices.size(), 2U);
  EXPECT_EQ(choices[0].text, QStringLiteral("toy · running"));
  EXPECT_EQ(runsToShow({}, {}, 10, 2026).size(), 0U);
}

}  // namespace
}  // namespace stagelane::ui
