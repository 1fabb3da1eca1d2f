// What a banner is called: by who looks for it, and by who hears it.

#include "ui/widgets/banner.h"

#include <gtest/gtest.h>

namespace stagelane::ui {
namespace {

TEST(Banner, IsHeardAsSentencesWithOneFullStopEach) {
  const Session session;
  Banner banner(&session, QStringLiteral("banner.sweep"), nullptr);
  banner.show(Tone::Neutral, QStringLiteral("The sweep is paused: it can go on."),
              QStringLiteral("0 of 4 points."), {});
  EXPECT_EQ(banner.accessibleName(),
            QStringLiteral("The sweep is paused: it can go on. 0 of 4 points."));
  banner.show(Tone::Neutral, QStringLiteral("The run was canceled"), QStringLiteral("Kept: a."),
              {});
  EXPECT_EQ(banner.accessibleName(), QStringLiteral("The run was canceled. Kept: a."));
  banner.show(Tone::Neutral, QStringLiteral("3 runs moved to the trash"), {}, {});
  EXPECT_EQ(banner.accessibleName(), QStringLiteral("3 runs moved to the trash"));
  EXPECT_EQ(banner.objectName(), QStringLiteral("banner.sweep"));
}

}  // namespace
}  // namespace stagelane::ui
