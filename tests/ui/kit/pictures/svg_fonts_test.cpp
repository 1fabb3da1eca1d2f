#include "ui/kit/pictures/svg_fonts.h"

#include <gtest/gtest.h>

#include <QFile>
#include <QRawFont>
#include <QRegularExpression>
#include <QSvgRenderer>
#include <QTemporaryDir>

#include "tests/ui/plots/sample_run.h"
#include "ui/kit/text/formatting.h"
#include "ui/plots/chart.h"

namespace stagelane::ui {
namespace {

QByteArray textElement(const QString& words, int weight = 400,
                       const QString& family = QStringLiteral("Noto Sans")) {
  return QStringLiteral(
             "<svg xmlns='http://www.w3.org/2000/svg'><desc>d</desc><defs></defs><text "
             "font-family=\"%1\" font-size=\"11\" font-weight=\"%2\" "
             "font-style=\"normal\">%3</text></svg>")
      .arg(family, QString::number(weight), words.toHtmlEscaped())
      .toUtf8();
}

/// The fonts inside, as QRawFonts.
QList<QRawFont> fontsIn(const QByteArray& svg) {
  static const QRegularExpression kFont(QStringLiteral("base64,([A-Za-z0-9+/=]+)"));
  QList<QRawFont> fonts;
  auto found = kFont.globalMatch(QString::fromLatin1(svg));
  while (found.hasNext()) {
    const QByteArray bytes = QByteArray::fromBase64(found.next().captured(1).toLatin1());
    fonts.append(QRawFont(bytes, 11.0));
  }
  return fonts;
}

TEST(SvgFonts, HaveTheGlyphsOfTheTextsAndNoOthers) {
  const QList<QRawFont> fonts =
      fontsIn(withEmbeddedFonts(textElement(QStringLiteral("3.75 ± µs"))));
  ASSERT_EQ(fonts.size(), 1);
  EXPECT_TRUE(fonts[0].isValid());
  for (const QChar c : QStringLiteral("3.75±µs")) EXPECT_TRUE(fonts[0].supportsCharacter(c));
  for (const QChar c : QStringLiteral("AZz9ж")) EXPECT_FALSE(fonts[0].supportsCharacter(c));
}

TEST(SvgFonts, KeepTheAdvancesByWhichTheTextsWereLaidOut) {
  const QRawFont whole = QRawFont::fromFont(QFont(QStringLiteral("Noto Sans")));
  const QList<QRawFont> fonts = fontsIn(withEmbeddedFonts(textElement(QStringLiteral("Wave"))));
  ASSERT_EQ(fonts.size(), 1);
  QRawFont subset = fonts[0];
  subset.setPixelSize(whole.pixelSize());
  const QString text = QStringLiteral("Wave");
  const auto from = whole.advancesForGlyphIndexes(whole.glyphIndexesForString(text));
  const auto to = subset.advancesForGlyphIndexes(subset.glyphIndexesForString(text));
  ASSERT_EQ(from.size(), to.size());
  for (qsizetype i = 0; i < from.size(); ++i) EXPECT_NEAR(from[i].x(), to[i].x(), 0.51);
}

TEST(SvgFonts, AreOneForEachWeight) {
  SvgFonts fonts;
  fonts.add(textElement(QStringLiteral("plain")));
  fonts.add(textElement(QStringLiteral("strong"), 700));
  fonts.add(textElement(QStringLiteral("more")));
  const QByteArray css = fonts.css();
  EXPECT_EQ(css.count("@font-face"), 2);
  EXPECT_EQ(css.count("font-weight:700"), 1);
}

TEST(SvgFonts, LeaveOutWhatThisMachineLacks) {
  const QByteArray svg =
      textElement(QStringLiteral("x"), 400, QStringLiteral("No Such Font \"};evil{"));
  EXPECT_EQ(withEmbeddedFonts(svg), svg);
  EXPECT_EQ(withEmbeddedFonts("<svg></svg>"), QByteArray("<svg></svg>"));
}

TEST(SvgFonts, MakeAChartAFewKilobytesLarger) {
  QTemporaryDir folder;
  for (const ChartKind kind : {ChartKind::Time, ChartKind::Idle}) {
    const PictureSpec spec{.path = folder.filePath(QStringLiteral("chart.svg"))};
    ASSERT_TRUE(exportChart(kind, sample::fullRun(), {}, spec, lightTheme()).has_value());
    QFile file(spec.path);
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    const QByteArray svg = file.readAll();
    EXPECT_EQ(fontsIn(svg).size(), 2) << chartKindWord(kind);
    SvgFonts fonts;
    fonts.add(svg);
    EXPECT_LT(fonts.css().size(), 40 * 1024) << chartKindWord(kind);
    EXPECT_TRUE(QSvgRenderer(svg).isValid());
  }
}

}  // namespace
}  // namespace stagelane::ui
