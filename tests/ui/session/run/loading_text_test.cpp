#include "ui/session/run/loading_text.h"

#include <gtest/gtest.h>

namespace stagelane::ui {
namespace {

std::string said(std::uint64_t done, std::uint64_t total, double elapsedS) {
  return loadingText({QStringLiteral("big.json"), done, total}, elapsedS).toStdString();
}

constexpr std::uint64_t kMiB = 1U << 20U;

TEST(LoadingText, SaysHowMuchWasReadAndHowLongTheRestTakes) {
  EXPECT_EQ(said(100 * kMiB, 400 * kMiB, 2.0),
            "Reading big.json: 100 MiB of 400 MiB, about 6 s left");
}

TEST(LoadingText, SaysNoTimeBeforeThePaceIsKnown) {
  EXPECT_EQ(said(100 * kMiB, 400 * kMiB, 0.1), "Reading big.json: 100 MiB of 400 MiB");
  EXPECT_EQ(said(kMiB, 400 * kMiB, 2.0), "Reading big.json: 1 MiB of 400 MiB");
  EXPECT_EQ(said(0, 0, 2.0), "Reading big.json");
}

TEST(LoadingText, SaysWhatIsLeftAfterTheLastByte) {
  EXPECT_EQ(said(4 * kMiB, 4 * kMiB, 2.0), "Reading big.json: 4 MiB of 4 MiB, preparing the view");
}

}  // namespace
}  // namespace stagelane::ui
