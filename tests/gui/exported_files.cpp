#include "tests/gui/exported_files.h"

#include <gtest/gtest.h>

#include <QFile>
#include <QImage>
#include <QProcess>
#include <QRegularExpression>
#include <QSet>
#include <QStandardPaths>
#include <QXmlStreamReader>
#include <iostream>
#include <optional>

namespace stagelane::gui {
namespace {

constexpr double kMmPerInch = 25.4;
constexpr double kPointsPerInch = 72.0;

QByteArray bytesOf(const QString& path) {
  QFile file(path);
  EXPECT_TRUE(file.open(QIODevice::ReadOnly)) << path.toStdString();
  return file.readAll();
}

/// Output of a program; nullopt, with a note, if it is not installed.
std::optional<QString> outputOf(const QString& program, const QStringList& arguments) {
  if (QStandardPaths::findExecutable(program).isEmpty()) {
    std::cout << "note: no " << program.toStdString()
              << " here (Debian: poppler-utils); that check is left out\n";
    return std::nullopt;
  }
  QProcess process;
  process.start(program, arguments);
  EXPECT_TRUE(process.waitForFinished(30000) && process.exitCode() == 0)
      << program.toStdString() << ": " << process.readAllStandardError().toStdString();
  return QString::fromUtf8(process.readAllStandardOutput());
}

int coloursOf(const QImage& image) {
  QSet<QRgb> colours;
  for (int y = 0; y < image.height(); y += 3) {
    for (int x = 0; x < image.width() && colours.size() < 64; x += 3) {
      colours.insert(image.pixel(x, y));
    }
  }
  return static_cast<int>(colours.size());
}

void expectWords(const QString& text, const QStringList& words, const QString& path) {
  for (const QString& word : words) {
    EXPECT_TRUE(text.contains(word))
        << path.toStdString() << " does not say \"" << word.toStdString() << "\"";
  }
}

/// Two heading lines, then a font a line: "NAME … emb sub uni object ID".
void expectFontsEmbedded(const QString& listing, const QString& path) {
  const QStringList lines = listing.split(QChar(u'\n'), Qt::SkipEmptyParts);
  EXPECT_GT(lines.size(), 2) << path.toStdString() << " has no fonts, so its text is no text";
  static const QRegularExpression kFlags(
      QStringLiteral(R"(\s(yes|no)\s+(yes|no)\s+(yes|no)\s+\d+\s+\d+\s*$)"));
  for (const QString& line : lines.mid(2)) {
    EXPECT_EQ(kFlags.match(line).captured(1).toStdString(), "yes") << line.toStdString();
  }
}

void expectPageSize(const QString& facts, QSizeF millimetres) {
  static const QRegularExpression kSize(QStringLiteral(R"(Page size:\s+([\d.]+) x ([\d.]+) pts)"));
  const auto match = kSize.match(facts);
  ASSERT_TRUE(match.hasMatch()) << facts.toStdString();
  EXPECT_NEAR(match.captured(1).toDouble(), millimetres.width() / kMmPerInch * kPointsPerInch, 1.5);
  EXPECT_NEAR(match.captured(2).toDouble(), millimetres.height() / kMmPerInch * kPointsPerInch,
              1.5);
}

/// The cells of a line; commas inside quotes do not separate cells.
QStringList cellsOf(const QString& line) {
  QStringList cells{QString()};
  bool quoted = false;
  for (const QChar letter : line) {
    if (letter == QChar(u'"')) {
      quoted = !quoted;
    } else if (letter == QChar(u',') && !quoted) {
      cells.append(QString());
    } else {
      cells.back().append(letter);
    }
  }
  return cells;
}

}  // namespace

void expectPng(const QString& path, QSizeF millimetres, int dpi) {
  EXPECT_EQ(bytesOf(path).left(8).toHex().toStdString(), "89504e470d0a1a0a");
  const QImage image(path);
  ASSERT_FALSE(image.isNull()) << path.toStdString();
  EXPECT_NEAR(image.width(), millimetres.width() / kMmPerInch * dpi, 1.0);
  EXPECT_NEAR(image.height(), millimetres.height() / kMmPerInch * dpi, 1.0);
  EXPECT_NEAR(image.dotsPerMeterX() * kMmPerInch / 1000.0, dpi, 1.0);
  EXPECT_GT(coloursOf(image), 5) << path.toStdString() << " is all but blank";
}

void expectSvg(const QString& path, const QStringList& words) {
  QXmlStreamReader reader(bytesOf(path));
  QString text;
  int images = 0;
  int texts = 0;
  bool isSvg = false;
  while (!reader.atEnd()) {
    reader.readNext();
    if (reader.isStartElement()) {
      isSvg = isSvg || reader.name() == QStringLiteral("svg");
      images += reader.name() == QStringLiteral("image") ? 1 : 0;
      texts += reader.name() == QStringLiteral("text") ? 1 : 0;
    } else if (reader.isCharacters()) {
      text += reader.text();
    }
  }
  EXPECT_FALSE(reader.hasError()) << path.toStdString() << ": "
                                  << reader.errorString().toStdString();
  EXPECT_TRUE(isSvg);
  EXPECT_EQ(images, 0) << path.toStdString() << " holds raster images";
  EXPECT_GT(texts, 2) << path.toStdString();
  expectWords(text, words, path);
}

void expectPdf(const QString& path, QSizeF millimetres, const QStringList& words) {
  const QByteArray bytes = bytesOf(path);
  EXPECT_EQ(bytes.left(5).toStdString(), "%PDF-");
  EXPECT_TRUE(bytes.trimmed().endsWith("%%EOF"));
  if (const auto fonts = outputOf(QStringLiteral("pdffonts"), {path})) {
    expectFontsEmbedded(*fonts, path);
  }
  if (const auto facts = outputOf(QStringLiteral("pdfinfo"), {path})) {
    expectPageSize(*facts, millimetres);
  }
  if (const auto text = outputOf(QStringLiteral("pdftotext"), {path, QStringLiteral("-")})) {
    expectWords(*text, words, path);
  }
}

QStringList expectCsv(const QString& path, const QString& headerBegin) {
  const QString text = QString::fromUtf8(bytesOf(path));
  EXPECT_TRUE(text.endsWith(QChar(u'\n'))) << path.toStdString();
  const QStringList lines = text.split(QChar(u'\n'), Qt::SkipEmptyParts);
  EXPECT_TRUE(lines.value(0).startsWith(headerBegin)) << lines.value(0).toStdString();
  EXPECT_GT(lines.size(), 1) << path.toStdString() << " has no rows";
  const qsizetype columns = cellsOf(lines.value(0)).size();
  QStringList first;
  for (const QString& line : lines.mid(1)) {
    const QStringList cells = cellsOf(line);
    EXPECT_EQ(cells.size(), columns) << line.toStdString();
    first.append(cells.front());
  }
  return first;
}

}  // namespace stagelane::gui
