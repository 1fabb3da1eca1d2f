#include "ui/kit/theme.h"

#include <gtest/gtest.h>

#include <QImage>
#include <QPainter>
#include <cmath>
#include <set>

namespace stagelane::ui {
namespace {

double luminance(const QColor& color) {
  const auto channel = [](double value) {
    return value <= 0.03928 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * channel(color.redF()) + 0.7152 * channel(color.greenF()) +
         0.0722 * channel(color.blueF());
}

double contrast(const QColor& a, const QColor& b) {
  const double one = luminance(a);
  const double other = luminance(b);
  return (std::max(one, other) + 0.05) / (std::min(one, other) + 0.05);
}

class Themes : public testing::TestWithParam<ThemeKind> {};

TEST_P(Themes, TextStandsOutFromEveryActionAndGround) {
  const Theme& theme = themeOf(GetParam());
  EXPECT_GE(contrast(theme.action.onForward, theme.action.forward), 5.0);
  EXPECT_GE(contrast(theme.action.onBackward, theme.action.backward), 5.0);
  EXPECT_GE(contrast(theme.action.onInput, theme.action.input), 5.0);
  EXPECT_GE(contrast(theme.action.onWeight, theme.action.weight), 5.0);
  for (std::size_t i = 0; i < theme.numbered.size(); ++i) {
    EXPECT_GE(contrast(theme.onNumbered[i], theme.numbered[i]), 4.6) << i;
  }
  EXPECT_GE(contrast(theme.control.text, theme.control.panel), 7.0);
  EXPECT_GE(contrast(theme.control.muted, theme.control.panel), 5.5);
  EXPECT_GE(contrast(theme.control.error, theme.control.errorGround), 4.6);
  EXPECT_GE(contrast(theme.control.warning, theme.control.warningGround), 4.6);
}

TEST_P(Themes, IdleCausesAreHatchesThatDifferAndBusyOnesAreSolid) {
  const Theme& theme = themeOf(GetParam());
  std::set<QByteArray> tiles;
  for (const auto cause : {analysis::Cause::Warmup, analysis::Cause::Drain, analysis::Cause::Tail,
                           analysis::Cause::Starved, analysis::Cause::TransferWait,
                           analysis::Cause::Host, analysis::Cause::Unattributed}) {
    const QBrush brush = brushOf(theme, cause, 2.0);
    ASSERT_EQ(brush.style(), Qt::TexturePattern);
    const QImage tile = brush.texture().toImage();
    EXPECT_EQ(tile.width(), 16) << "a tile is made for the screen's pixels";
    tiles.insert(QByteArray(reinterpret_cast<const char*>(tile.constBits()),
                            static_cast<qsizetype>(tile.sizeInBytes())));
  }
  EXPECT_EQ(tiles.size(), 7U);
  EXPECT_EQ(brushOf(theme, analysis::Cause::Forward).style(), Qt::SolidPattern);
}

TEST_P(Themes, ThePaletteHasTheTokens) {
  const Theme& theme = themeOf(GetParam());
  const QPalette palette = makePalette(theme);
  EXPECT_EQ(palette.color(QPalette::Window), theme.control.window);
  EXPECT_EQ(palette.color(QPalette::Active, QPalette::Text), theme.control.text);
  EXPECT_EQ(palette.color(QPalette::Disabled, QPalette::Text), theme.control.faint);
}

INSTANTIATE_TEST_SUITE_P(Both, Themes, testing::Values(ThemeKind::Light, ThemeKind::Dark));

TEST(Theme, UnknownWordsMeanLight) {
  EXPECT_EQ(themeKindFromWord(QStringLiteral("dark")), ThemeKind::Dark);
  EXPECT_EQ(themeKindFromWord(QStringLiteral("sepia")), ThemeKind::Light);
}

}  // namespace
}  // namespace stagelane::ui
