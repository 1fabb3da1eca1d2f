#include "app/cli/work_notes.h"

#include <gtest/gtest.h>

namespace stagelane::app {
namespace {

TEST(NoteTimes, PrintNothingInTheFirstSecond) {
  for (const ProgressStyle style : {ProgressStyle::Terminal, ProgressStyle::Lines}) {
    NoteTimes times(style);
    EXPECT_EQ(times.textAt(0.0, "reading"), "");
    EXPECT_EQ(times.textAt(0.9, "reading"), "");
    EXPECT_EQ(times.end(), "") << "nothing is to be cleared";
  }
}

TEST(NoteTimes, RewriteTheLineOfATerminalTwiceASecond) {
  NoteTimes times(ProgressStyle::Terminal);
  EXPECT_EQ(times.textAt(1.0, "reading: 1 of 9"), "\r\033[Kreading: 1 of 9, 1 s");
  EXPECT_EQ(times.textAt(1.4, "reading: 2 of 9"), "");
  EXPECT_EQ(times.textAt(1.6, "reading: 3 of 9"), "\r\033[Kreading: 3 of 9, 2 s");
  EXPECT_EQ(times.end(), "\r\033[K");
}

TEST(NoteTimes, PrintALineEveryFewSecondsElsewhere) {
  NoteTimes times(ProgressStyle::Lines);
  EXPECT_EQ(times.textAt(1.0, "reading"), "reading, 1 s\n");
  EXPECT_EQ(times.textAt(5.9, "reading"), "");
  EXPECT_EQ(times.textAt(6.1, "reading"), "reading, 6 s\n");
  EXPECT_EQ(times.end(), "");
}

TEST(WorkNotes, OfShortWorkPrintNothingAndEndAtOnce) {
  testing::internal::CaptureStderr();
  {
    const WorkNotes notes([] { return std::string("working"); });
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace stagelane::app
