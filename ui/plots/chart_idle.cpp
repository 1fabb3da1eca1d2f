/// Idle causes of a run: one horizontal 100 % stack per variant and device, total at its end.

#include <QPainter>
#include <algorithm>
#include <array>

#include "engine/base/text.h"
#include "ui/models/formatting.h"
#include "ui/plots/chart_parts.h"

namespace stagelane::ui::detail {
namespace {

struct IdleCause {
  analysis::Cause cause;
  const char* word;
  QString text;
};
const std::array<IdleCause, 7>& idleCauses() {
  static const std::array<IdleCause, 7> kCauses{
      {{analysis::Cause::Warmup, "warmup", QStringLiteral("warm-up")},
       {analysis::Cause::Starved, "starved", QStringLiteral("starved")},
       {analysis::Cause::TransferWait, "transfer", QStringLiteral("transfer")},
       {analysis::Cause::Host, "host", QStringLiteral("host")},
       {analysis::Cause::Drain, "drain", QStringLiteral("drain")},
       {analysis::Cause::Tail, "tail", QStringLiteral("tail")},
       {analysis::Cause::Unattributed, "unattributed", QStringLiteral("unattributed")}}};
  return kCauses;
}

constexpr double kRow = 26.0, kBar = 18.0, kLegend = 24.0, kAxis = 22.0;

/// Busy first, then the causes in the legend's order.
std::vector<TimeNs> partsOf(const record::DeviceResult& device) {
  std::vector<TimeNs> parts{device.busyNs};
  for (const IdleCause& cause : idleCauses()) {
    const auto found = device.idle.find(cause.word);
    parts.push_back(found == device.idle.end() ? 0 : found->second);
  }
  return parts;
}

QString sentence(const record::VariantResult& variant, const record::DeviceResult& device,
                 const std::vector<double>& shares) {
  QStringList words;
  for (std::size_t i = 1; i < shares.size(); ++i) {
    if (shares[i] > 0.0) {
      words << QStringLiteral("%1 %2").arg(QString::number(shares[i], 'f', 1),
                                           idleCauses()[i - 1].text);
    }
  }
  return QStringLiteral("%1, %2: busy %3 %, idle: %4")
      .arg(qstring(variant.name), qstring(device.id), QString::number(shares[0], 'f', 1),
           words.isEmpty() ? QStringLiteral("none") : words.join(QStringLiteral(", ")));
}

class IdlePainter {
 public:
  IdlePainter(const ChartCanvas& canvas, QPainter& painter) : m_canvas(canvas), m_painter(painter) {
    const double names = std::clamp(canvas.size.width() * 0.24, 90.0, 220.0);
    m_area = QRectF(12.0 + names + 56.0, kLegend, canvas.size.width() - names - 56.0 - 90.0,
                    canvas.size.height() - kLegend - kAxis);
    m_area.setHeight(std::min(m_area.height(), rowHeight() * static_cast<double>(rowCount())));
  }

  void paint() {
    m_painter.fillRect(QRectF(QPointF(0, 0), m_canvas.size), m_canvas.theme.control.panel);
    m_painter.setFont(fontOf(TextSize::Caption));
    paintAxis();
    double y = m_area.top();
    const double row = rowHeight();
    for (const auto& variant : m_canvas.run.variants) {
      m_painter.setPen(m_canvas.theme.control.text);
      m_painter.drawText(
          QRectF(8.0, y, m_area.left() - 72.0, row), Qt::AlignLeft | Qt::AlignVCenter,
          QFontMetricsF(m_painter.font())
              .elidedText(qstring(variant.name), Qt::ElideRight, m_area.left() - 76.0));
      if (variant.devices.empty()) {
        paintNotRun(variant, y, row);
        y += row;
      }
      for (const auto& device : variant.devices) {
        paintDevice(variant, device, y, row);
        y += row;
      }
    }
    paintLegend();
  }

 private:
  [[nodiscard]] std::size_t rowCount() const {
    std::size_t rows = 0;
    for (const auto& variant : m_canvas.run.variants) {
      rows += std::max<std::size_t>(1, variant.devices.size());
    }
    return std::max<std::size_t>(1, rows);
  }
  [[nodiscard]] double rowHeight() const {
    return std::min(kRow, m_area.height() / static_cast<double>(rowCount()));
  }

  void paintAxis() {
    for (int percent = 0; percent <= 100; percent += 25) {
      const double x = m_area.left() + m_area.width() * percent / 100.0;
      m_painter.setPen(QPen(m_canvas.theme.control.grid, 1.0));
      m_painter.drawLine(QPointF(x, m_area.top()), QPointF(x, m_area.bottom()));
      m_painter.setPen(m_canvas.theme.control.muted);
      m_painter.drawText(QRectF(x - 30.0, m_area.bottom() + 4.0, 60.0, 16.0), Qt::AlignCenter,
                         percent == 0 || percent == 100 ? QStringLiteral("%1 %").arg(percent)
                                                        : QString::number(percent));
    }
  }

  void paintNotRun(const record::VariantResult& variant, double y, double row) {
    const double bar = std::min(kBar, row * 0.72);
    const QRectF rect(m_area.left(), y + (row - bar) / 2.0, m_area.width(), bar);
    const QColor color = missingColor(variant, m_canvas.theme);
    paintMissingSlot(m_painter, rect, color);
    const QString text = shortReason(variant);
    const double width = QFontMetricsF(m_painter.font()).horizontalAdvance(text) + 16.0;
    const QRectF label(rect.center().x() - width / 2.0, y, width, row);
    m_painter.fillRect(label, m_canvas.theme.control.panel);
    m_painter.setPen(color);
    m_painter.drawText(label, Qt::AlignCenter, text);
    m_canvas.drawing.marks.push_back(
        {qstring(variant.id), qstring(variant.name + ": " + variant.reason), rect});
  }

  void paintDevice(const record::VariantResult& variant, const record::DeviceResult& device,
                   double y, double row) {
    const std::vector<TimeNs> parts = partsOf(device);
    const std::vector<double> shares = roundedPercentages(parts, 1);
    TimeNs total = 0;
    for (const TimeNs part : parts) total += part;
    const double bar = std::min(kBar, row * 0.72);
    const QRectF rect(m_area.left(), y + (row - bar) / 2.0, m_area.width(), bar);
    m_painter.setPen(m_canvas.theme.control.muted);
    m_painter.drawText(QRectF(m_area.left() - 64.0, y, 58.0, row),
                       Qt::AlignRight | Qt::AlignVCenter, qstring(device.id));
    if (total <= 0) return;
    TimeNs before = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const double x1 = share(before, total), x2 = share(before + parts[i], total);
      before += parts[i];
      if (x2 - x1 < 0.3) continue;
      fill(QRectF(rect.left() + x1, rect.top(), x2 - x1, rect.height()), i);
    }
    m_painter.setPen(m_canvas.theme.control.text);
    m_painter.drawText(QRectF(rect.right() + 6.0, y, 84.0, row), Qt::AlignLeft | Qt::AlignVCenter,
                       QStringLiteral("%1 % idle").arg(QString::number(100.0 - shares[0], 'f', 1)));
    m_canvas.drawing.marks.push_back(
        {qstring(variant.id), sentence(variant, device, shares), rect});
  }

  [[nodiscard]] double share(TimeNs part, TimeNs total) const {
    return m_area.width() * static_cast<double>(part) / static_cast<double>(total);
  }

  /// Switched off in the Timeline's legend.
  [[nodiscard]] bool hidden(analysis::Cause cause) const {
    const auto& causes = m_canvas.options.hiddenCauses;
    return std::find(causes.begin(), causes.end(), cause) != causes.end();
  }

  /// Part 0 is busy; the others are causes.
  void fill(const QRectF& rect, std::size_t part) {
    if (part == 0) {
      m_painter.fillRect(rect, m_canvas.theme.control.accent);
    } else if (hidden(idleCauses()[part - 1].cause)) {
      m_painter.setPen(QPen(m_canvas.theme.control.border, 1.0));
      m_painter.setBrush(Qt::NoBrush);
      m_painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5));
    } else {
      paintHatch(m_painter, rect, m_canvas.theme, idleCauses()[part - 1].cause);
    }
  }

  void paintLegend() {
    double x = m_area.left();
    for (std::size_t i = 0; i <= idleCauses().size(); ++i) {
      const QString text = i == 0 ? QStringLiteral("busy") : idleCauses()[i - 1].text;
      const double width = QFontMetricsF(m_painter.font()).horizontalAdvance(text) + 26.0;
      if (x + width > m_canvas.size.width()) return;
      fill(QRectF(x, 7.0, 10.0, 10.0), i);
      if (i > 0) {
        m_canvas.drawing.legend.push_back(
            {idleCauses()[i - 1].cause, QRectF(x - 4.0, 2.0, width - 6.0, 20.0)});
      }
      m_painter.setPen(m_canvas.theme.control.muted);
      m_painter.drawText(QRectF(x + 14.0, 3.0, width, 18.0), Qt::AlignLeft | Qt::AlignVCenter,
                         text);
      x += width;
    }
  }

  const ChartCanvas& m_canvas;
  QPainter& m_painter;
  QRectF m_area;
};

}  // namespace

void drawIdle(const ChartCanvas& canvas) {
  QPainter painter(&canvas.drawing.picture);
  painter.setRenderHint(QPainter::Antialiasing, true);
  IdlePainter(canvas, painter).paint();
  painter.end();
}

}  // namespace stagelane::ui::detail
