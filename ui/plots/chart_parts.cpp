#include "ui/plots/chart_parts.h"

#include <QPainter>
#include <algorithm>

#include "engine/record/fastest.h"
#include "ui/kit/text/formatting.h"
#include "ui/kit/text/round_ticks.h"
#include "ui/kit/text/translation.h"
#include "ui/session/run/run_words.h"

namespace stagelane::ui::detail {
namespace {

void styleAxis(QCPAxis& axis, const Theme& theme) {
  axis.setBasePen(QPen(theme.control.border2, 1.0));
  axis.setTickPen(QPen(theme.control.border2, 1.0));
  axis.setSubTickPen(Qt::NoPen);
  axis.setTickLabelColor(theme.control.text);
  axis.setLabelColor(theme.control.muted);
  axis.setTickLabelFont(fontOf(TextSize::Caption));
  axis.setLabelFont(fontOf(TextSize::Caption));
  axis.grid()->setPen(QPen(theme.control.grid, 1.0));
  axis.grid()->setZeroLinePen(Qt::NoPen);
}

constexpr qsizetype kMostLines = 3;

bool doesNotFit(const record::VariantResult& variant) {
  return variant.failure && variant.failure->kind == FailureKind::DoesNotFit;
}

/// The reason begins with the short one, before a colon if there is more.
bool hasShortReason(const record::VariantResult& variant) {
  return variant.earlyStop || variant.status == record::RunStatus::Canceled || doesNotFit(variant);
}

}  // namespace

QStringList wrappedLines(const QString& name, double width) {
  const QFontMetricsF metrics(fontOf(TextSize::Caption));
  QStringList lines;
  for (const QString& word : name.simplified().split(QChar(u' '), Qt::SkipEmptyParts)) {
    const QString longer = lines.isEmpty() ? word : lines.last() + QChar(u' ') + word;
    if (!lines.isEmpty() &&
        (lines.size() == kMostLines || metrics.horizontalAdvance(longer) <= width)) {
      lines.last() = longer;
    } else {
      lines << word;
    }
  }
  for (QString& line : lines) line = metrics.elidedText(line, Qt::ElideRight, width);
  return lines;
}

std::unique_ptr<QCustomPlot> makePlot(const ChartCanvas& canvas, const QString& yLabel) {
  auto plot = std::make_unique<QCustomPlot>();
  plot->setLocale(numberLocale());
  plot->setBackground(QBrush(canvas.theme.control.panel));
  plot->setNotAntialiasedElements(QCP::aeNone);
  plot->axisRect()->setBackground(QBrush(canvas.theme.control.panel));
  styleAxis(*plot->xAxis, canvas.theme);
  styleAxis(*plot->yAxis, canvas.theme);
  plot->xAxis->grid()->setVisible(false);
  plot->yAxis->setLabel(yLabel);
  plot->yAxis->setRangeLower(0.0);
  plot->yAxis->setBasePen(Qt::NoPen);
  plot->yAxis->setTickPen(Qt::NoPen);
  return plot;
}

void setVariantTicks(QCustomPlot& plot, const std::vector<QString>& names, double plotWidth) {
  auto ticker = QSharedPointer<QCPAxisTickerText>::create();
  const double perBar = plotWidth / static_cast<double>(std::max<std::size_t>(1, names.size()));
  for (std::size_t i = 0; i < names.size(); ++i) {
    ticker->addTick(static_cast<double>(i),
                    wrappedLines(names[i], perBar - 4.0).join(QChar(u'\n')));
  }
  plot.xAxis->setTicker(ticker);
  plot.xAxis->setTickLength(0);
  plot.xAxis->setRange(-0.6, static_cast<double>(names.size()) - 0.4);
}

Unit secondsUnit(double largest) {
  const SecondsUnit unit = secondsUnitOf(largest);
  return {unit.factor, unit.name};
}

double labelHeight(std::size_t lines) {
  return QFontMetricsF(fontOf(TextSize::Caption)).lineSpacing() * static_cast<double>(lines);
}

namespace {

QFont fontOfLine(const LabelLine& line) {
  return fontOf(TextSize::Caption, line.bold ? TextWeight::Bold : TextWeight::Regular);
}

}  // namespace

bool labelFits(const std::vector<LabelLine>& lines, double width) {
  return std::all_of(lines.begin(), lines.end(), [width](const LabelLine& line) {
    return QFontMetricsF(fontOfLine(line)).horizontalAdvance(line.text) <= width;
  });
}

void paintLabel(QPainter& painter, double x, double bottom, const std::vector<LabelLine>& lines,
                const QColor& ground) {
  const double height = labelHeight(1);
  double y = bottom - labelHeight(lines.size());
  for (const LabelLine& line : lines) {
    painter.setFont(fontOfLine(line));
    const double width = QFontMetricsF(painter.font()).horizontalAdvance(line.text) + 2.0;
    const QRectF rect(x - width / 2.0, y, width, height);
    if (ground.isValid()) painter.fillRect(rect, ground);
    painter.setPen(line.color);
    painter.drawText(rect, Qt::AlignCenter | Qt::TextDontClip, line.text);
    y += height;
  }
}

void record(QCustomPlot& plot, const ChartCanvas& canvas) {
  const QSize size = canvas.size.toSize();
  QCPPainter painter(&canvas.drawing.picture);
  painter.setMode(QCPPainter::pmVectorized);
  painter.setMode(QCPPainter::pmNoCaching);
  plot.toPainter(&painter, size.width(), size.height());
  painter.end();
}

QRectF barRect(const QCustomPlot& plot, double x, double width, double height) {
  const double left = plot.xAxis->coordToPixel(x - width / 2.0);
  const double right = plot.xAxis->coordToPixel(x + width / 2.0);
  const double top = plot.yAxis->coordToPixel(height);
  const double bottom = plot.yAxis->coordToPixel(0.0);
  return QRectF(QPointF(left, top), QPointF(right, bottom));
}

void paintOver(const ChartCanvas& canvas, const std::function<void(QPainter&)>& paint) {
  QPicture combined;
  QPainter painter(&combined);
  painter.drawPicture(0, 0, canvas.drawing.picture);
  paint(painter);
  painter.end();
  canvas.drawing.picture = combined;
}

void paintMissingSlot(QPainter& painter, const QRectF& rect, const QColor& color) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing, true);
  painter.setPen(QPen(color, 1.0));
  constexpr double kGap = 8.0;
  for (double offset = -rect.height(); offset < rect.width(); offset += kGap) {
    const double from = std::max(0.0, offset), to = std::min(rect.width(), offset + rect.height());
    painter.drawLine(QPointF(rect.left() + from, rect.bottom() - (from - offset)),
                     QPointF(rect.left() + to, rect.bottom() - (to - offset)));
  }
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(rect);
  painter.restore();
}

QColor missingColor(const record::VariantResult& variant, const Theme& theme) {
  return variant.status == record::RunStatus::Running ? theme.control.muted : theme.control.error;
}

bool isCutShort(const record::VariantResult& variant, const ChartOptions& options) {
  return record::isCutShort(variant, options.repeatsAsked);
}

QString countOfRepeats(const record::VariantResult& variant, const ChartOptions& options) {
  return u"n = "_s + repeatsDoneText(variant, options.repeatsAsked);
}

void paintCutShort(const ChartCanvas& canvas, QPainter& painter, const QRectF& rect) {
  painter.save();
  painter.setClipRect(rect);
  QColor veil = canvas.theme.control.panel;
  veil.setAlphaF(0.42F);
  painter.fillRect(rect, veil);
  painter.setPen(Qt::NoPen);
  paintMissingSlot(painter, rect, canvas.theme.control.accent);
  painter.restore();
}

bool measured(const record::VariantResult& variant) { return !variant.seconds.empty(); }

QString shortReason(const record::VariantResult& variant) {
  if (doesNotFit(variant)) return failureText(FailureKind::DoesNotFit);
  if (variant.earlyStop) return QObject::tr("left out early");
  switch (variant.status) {
    case record::RunStatus::Canceled: return QObject::tr("canceled");
    case record::RunStatus::Failed: return QObject::tr("failed");
    case record::RunStatus::NotRun: return QObject::tr("not run");
    default: return QObject::tr("pending");
  }
}

QString restOfReason(const record::VariantResult& variant) {
  const QString whole = reasonText(variant).section(QChar(u'\n'), 0, 0).trimmed();
  return hasShortReason(variant) ? whole.section(u": "_s, 1) : whole;
}

QStringList missingFacts(const record::VariantResult& variant) {
  const QString whole = reasonText(variant);
  if (whole.isEmpty()) return {shortReason(variant)};
  return hasShortReason(variant) ? QStringList{whole} : QStringList{shortReason(variant), whole};
}

void paintHeading(QPainter& painter, const QRectF& area, const ChartHeading& heading,
                  const Theme& theme) {
  constexpr double kMargin = 12.0;
  painter.fillRect(area, theme.control.panel);
  const auto line = [&](const QFont& font, const QColor& color, QPointF at, const QString& text) {
    const QFontMetricsF metrics(font);
    const QString shown = metrics.elidedText(text, Qt::ElideRight, area.right() - kMargin - at.x());
    painter.setFont(font);
    painter.setPen(color);
    painter.drawText(at, shown);
    return at.x() + metrics.horizontalAdvance(shown) + kMargin;
  };
  const double first = area.top() + 18.0, second = first + 17.0;
  const double after = line(fontOf(TextSize::Body, TextWeight::Bold), theme.control.text,
                            {area.left() + kMargin, first}, heading.title);
  line(fontOf(TextSize::Body), theme.control.muted, {after, first}, heading.run);
  line(fontOf(TextSize::Caption), theme.control.muted, {area.left() + kMargin, second},
       heading.subtitle);
}

}  // namespace stagelane::ui::detail
