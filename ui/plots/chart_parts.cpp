#include "ui/plots/chart_parts.h"

#include <QPainter>
#include <algorithm>

#include "ui/models/formatting.h"

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

/// Breaks at blanks so that a line has at most `perLine` characters where words allow it.
QString wrapped(const QString& name, int perLine) {
  QStringList lines;
  for (const QString& word : name.split(QChar(u' '), Qt::SkipEmptyParts)) {
    const bool fits = !lines.isEmpty() && lines.last().size() + 1 + word.size() <= perLine;
    if (fits) {
      lines.last() += QChar(u' ') + word;
    } else {
      lines << word;
    }
  }
  for (QString& line : lines) {
    if (line.size() > perLine + 3) line = line.left(perLine + 1) + QChar(u'…');
  }
  return lines.mid(0, 4).join(QChar(u'\n'));
}

}  // namespace

std::unique_ptr<QCustomPlot> makePlot(const ChartCanvas& canvas, const QString& yLabel) {
  auto plot = std::make_unique<QCustomPlot>();
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
  const int perLine = std::max(6, static_cast<int>(perBar / 6.5));
  for (std::size_t i = 0; i < names.size(); ++i) {
    ticker->addTick(static_cast<double>(i), wrapped(names[i], perLine));
  }
  plot.xAxis->setTicker(ticker);
  plot.xAxis->setTickLength(0);
  plot.xAxis->setRange(-0.6, static_cast<double>(names.size()) - 0.4);
}

void addLabel(QCustomPlot& plot, double x, double y, const QString& text, const QColor& color,
              bool bold) {
  auto* label = new QCPItemText(&plot);
  label->setPositionAlignment(Qt::AlignBottom | Qt::AlignHCenter);
  label->position->setCoords(x, y);
  label->setText(text);
  label->setFont(fontOf(TextSize::Caption, bold ? TextWeight::Bold : TextWeight::Regular));
  label->setColor(color);
  label->setPadding(QMargins(0, 0, 0, 3));
  label->setTextAlignment(Qt::AlignHCenter);
  label->setClipToAxisRect(false);
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

void paintFailed(QPainter& painter, const QRectF& rect, const Theme& theme) {
  painter.save();
  painter.setPen(QPen(theme.control.error, 1.0));
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

bool measured(const record::VariantResult& variant) { return !variant.seconds.empty(); }

QString shortReason(const record::VariantResult& variant) {
  if (variant.reason.rfind("does not fit", 0) == 0) return QStringLiteral("does not fit");
  switch (variant.status) {
    case record::RunStatus::Canceled: return QStringLiteral("canceled");
    case record::RunStatus::Failed: return QStringLiteral("failed");
    case record::RunStatus::NotRun: return QStringLiteral("not run");
    default: return QStringLiteral("not measured yet");
  }
}

}  // namespace stagelane::ui::detail
