/// Idle causes of a run: one horizontal 100 % stack per variant and device, total at its end.

#include <QPainter>
#include <algorithm>
#include <array>

#include "engine/base/apportion.h"
#include "engine/base/csv.h"
#include "engine/base/find.h"
#include "ui/kit/text/formatting.h"
#include "ui/kit/text/short_name.h"
#include "ui/plots/chart_row.h"
#include "ui/tracks/timeline_data.h"
#include "ui/tracks/timeline_painter.h"

namespace stagelane::ui::detail {
namespace {

using analysis::Cause;

constexpr double kRow = 26.0, kBar = 18.0, kAxis = 22.0;
constexpr double kLegendLine = 20.0, kSwatch = 10.0, kMargin = 12.0;

/// Kinds of work, then idle causes, in the order of stack and legend.
constexpr auto kParts = [] {
  constexpr std::array kWork{Cause::Forward,        Cause::Backward,  Cause::BackwardInput,
                             Cause::BackwardWeight, Cause::Optimizer, Cause::Compute};
  std::array<Cause, kWork.size() + analysis::kShownIdleCauses.size()> parts{};
  std::copy(analysis::kShownIdleCauses.begin(), analysis::kShownIdleCauses.end(),
            std::copy(kWork.begin(), kWork.end(), parts.begin()));
  return parts;
}();
using Parts = std::array<TimeNs, kParts.size()>;

QString partText(Cause part) {
  return part == Cause::Compute ? QObject::tr("busy") : causeText(part);
}

/// Work of unknown kind, as in runs of older versions, is `Compute`.
Parts partsOf(const record::DeviceResult& device) {
  Parts parts{};
  TimeNs known = 0;
  for (std::size_t i = 0; i < kParts.size(); ++i) {
    const auto& times = analysis::isBusy(kParts[i]) ? device.busy : device.idle;
    const auto found = times.find(std::string(analysis::word(kParts[i])));
    if (found == times.end()) continue;
    parts[i] = found->second;
    known += analysis::isBusy(kParts[i]) ? found->second : 0;
  }
  const auto compute = std::find(kParts.begin(), kParts.end(), Cause::Compute) - kParts.begin();
  parts[static_cast<std::size_t>(compute)] += std::max<TimeNs>(0, device.busyNs - known);
  return parts;
}

/// The sum of the busy or the idle parts. 100 minus the other sum could give −0.0.
double totalShare(const std::vector<double>& shares, bool busy) {
  double total = 0.0;
  for (std::size_t i = 0; i < kParts.size(); ++i) {
    total += analysis::isBusy(kParts[i]) == busy ? shares[i] : 0.0;
  }
  return total;
}

/// "idle 55.4 %: 43.4 starved, 12.0 transfer".
QString factOf(const QString& what, double total, const QStringList& parts) {
  const QString text = u"%1 %2 %"_s.arg(what, numberText(total, 1));
  return parts.isEmpty() ? text : text + u": "_s + parts.join(u", "_s);
}

QStringList idleFacts(const std::vector<double>& shares) {
  QStringList busy, idle;
  for (std::size_t i = 0; i < kParts.size(); ++i) {
    if (shares[i] <= 0.0 || kParts[i] == Cause::Compute) continue;
    (analysis::isBusy(kParts[i]) ? busy : idle)
        << u"%1 %2"_s.arg(numberText(shares[i], 1), causeText(kParts[i]));
  }
  return {factOf(QObject::tr("busy"), totalShare(shares, true), busy),
          factOf(QObject::tr("idle"), totalShare(shares, false), idle)};
}

/// The parts that occur in a run, each with its position in the legend.
std::vector<ChartLegendMark> legendOf(const record::RunResult& run, double width) {
  Parts sums{};
  for (const auto& variant : run.variants) {
    for (const auto& device : variant.devices) {
      const Parts parts = partsOf(device);
      for (std::size_t i = 0; i < parts.size(); ++i) sums[i] += parts[i];
    }
  }
  const QFontMetricsF metrics(fontOf(TextSize::Caption));
  std::vector<ChartLegendMark> legend;
  QPointF at(kMargin, 2.0);
  for (std::size_t i = 0; i < kParts.size(); ++i) {
    if (sums[i] <= 0) continue;
    const double entry = metrics.horizontalAdvance(partText(kParts[i])) + kSwatch + 12.0;
    if (at.x() + entry > width - kMargin && at.x() > kMargin) {
      at = QPointF(kMargin, at.y() + kLegendLine);
    }
    legend.push_back({kParts[i], QRectF(at, QSizeF(entry, kLegendLine))});
    at.rx() += entry + 6.0;
  }
  return legend;
}

class IdlePainter {
 public:
  IdlePainter(const ChartCanvas& canvas, QPainter& painter)
      : m_canvas(canvas), m_painter(painter), m_legend(legendOf(canvas.run, canvas.size.width())) {
    const double names = std::clamp(canvas.size.width() * 0.24, 90.0, 220.0);
    const double top = m_legend.empty() ? 4.0 : m_legend.back().rect.bottom() + 4.0;
    m_area = QRectF(12.0 + names + 56.0, top, canvas.size.width() - names - 56.0 - 90.0,
                    canvas.size.height() - top - kAxis);
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
              .elidedText(shownName(variant.name), Qt::ElideRight, m_area.left() - 76.0));
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
      m_painter.drawText(
          QRectF(x - 30.0, m_area.bottom() + 4.0, 60.0, 16.0), Qt::AlignCenter,
          percent == 0 || percent == 100 ? u"%1 %"_s.arg(percent) : QString::number(percent));
    }
  }

  void paintNotRun(const record::VariantResult& variant, double y, double row) {
    const double bar = std::min(kBar, row * 0.72);
    const QRectF rect(m_area.left(), y + (row - bar) / 2.0, m_area.width(), bar);
    const QColor color = missingColor(variant, m_canvas.theme);
    paintMissingSlot(m_painter, rect, color);
    const QString rest = restOfReason(variant);
    const QFontMetricsF metrics(m_painter.font());
    const QString text = metrics.elidedText(
        rest.isEmpty() ? shortReason(variant) : shortReason(variant) + u": "_s + rest,
        Qt::ElideRight, rect.width() - 32.0);
    const double width = metrics.horizontalAdvance(text) + 16.0;
    const QRectF label(rect.center().x() - width / 2.0, y, width, row);
    m_painter.fillRect(label, m_canvas.theme.control.panel);
    m_painter.setPen(color);
    m_painter.drawText(label, Qt::AlignCenter, text);
    m_canvas.drawing.marks.push_back(
        markOf(variant, missingFacts(variant), rect, targetOf(y, row)));
  }

  void paintDevice(const record::VariantResult& variant, const record::DeviceResult& device,
                   double y, double row) {
    const Parts parts = partsOf(device);
    const auto firstIdle =
        std::find_if_not(kParts.begin(), kParts.end(), analysis::isBusy) - kParts.begin();
    const std::vector<double> shares = roundedBusyAndIdle(
        {parts.begin(), parts.begin() + firstIdle}, {parts.begin() + firstIdle, parts.end()}, 1);
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
      fill(QRectF(rect.left() + x1, rect.top(), x2 - x1, rect.height()), kParts[i]);
    }
    m_painter.setPen(m_canvas.theme.control.text);
    m_painter.drawText(QRectF(rect.right() + 6.0, y, 84.0, row), Qt::AlignLeft | Qt::AlignVCenter,
                       QObject::tr("%1 % idle").arg(numberText(totalShare(shares, false), 1)));
    ChartMark mark = markOf(variant, idleFacts(shares), rect, targetOf(y, row));
    nameDevice(mark, device);
    m_canvas.drawing.marks.push_back(std::move(mark));
  }

  /// A whole row with its names and total.
  [[nodiscard]] QRectF targetOf(double y, double row) const {
    return {0.0, y, m_canvas.size.width(), row};
  }

  [[nodiscard]] double share(TimeNs part, TimeNs total) const {
    return m_area.width() * static_cast<double>(part) / static_cast<double>(total);
  }

  /// Hidden by the legend.
  [[nodiscard]] bool hidden(Cause cause) const {
    const auto& causes = m_canvas.options.hiddenCauses;
    return contains(causes, cause);
  }

  void fill(const QRectF& rect, Cause part) {
    if (hidden(part)) {
      m_painter.setPen(QPen(m_canvas.theme.control.border, 1.0));
      m_painter.setBrush(Qt::NoBrush);
      m_painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5));
    } else if (part == Cause::Compute) {
      m_painter.fillRect(rect, m_canvas.theme.control.border2);
    } else if (analysis::isBusy(part)) {
      m_painter.fillRect(rect, colorOf(m_canvas.theme, part));
    } else {
      paintHatch(m_painter, rect, m_canvas.theme, part);
    }
  }

  void paintLegend() {
    for (const ChartLegendMark& entry : m_legend) {
      const double top = entry.rect.center().y() - kSwatch / 2.0;
      fill(QRectF(entry.rect.left() + 4.0, top, kSwatch, kSwatch), entry.cause);
      m_painter.setPen(m_canvas.theme.control.muted);
      m_painter.drawText(entry.rect.adjusted(kSwatch + 8.0, 0, 8.0, 0),
                         Qt::AlignLeft | Qt::AlignVCenter, partText(entry.cause));
      if (entry.cause != Cause::Compute) m_canvas.drawing.legend.push_back(entry);
    }
  }

  const ChartCanvas& m_canvas;
  QPainter& m_painter;
  std::vector<ChartLegendMark> m_legend;
  QRectF m_area;
};

void drawIdle(const ChartCanvas& canvas) {
  QPainter painter(&canvas.drawing.picture);
  painter.setRenderHint(QPainter::Antialiasing, true);
  IdlePainter(canvas, painter).paint();
  painter.end();
}

constexpr std::array kWorkColumns{"forward", "backward", "backward_input", "backward_weight",
                                  "optimizer"};
void idleCsv(std::ostream& out, const record::RunResult& run) {
  out << "variant,repeat,device,busy_ns";
  for (const char* work : kWorkColumns) out << ',' << work << "_ns";
  for (const Cause cause : analysis::kIdleCauses) out << ',' << word(cause) << "_ns";
  out << '\n';
  for (const auto& variant : run.variants) {
    for (const auto& device : variant.devices) {
      out << csvField(variant.id) << ",median," << csvField(device.id) << ',' << device.busyNs;
      for (const char* kind : kWorkColumns) {
        const auto found = device.busy.find(kind);
        out << ',';
        if (found != device.busy.end()) out << found->second;
      }
      for (const Cause cause : analysis::kIdleCauses) {
        const auto found = device.idle.find(std::string(word(cause)));
        out << ',' << (found == device.idle.end() ? 0 : found->second);
      }
      out << '\n';
    }
  }
}

}  // namespace

const ChartRow kIdleChart{
    .word = "idle",
    .title = QT_TRANSLATE_NOOP("QObject", "Idle causes"),
    .shape = ChartShape::RowPerDevice,
    .ofMedianStep = true,
    .subtitle = [](const record::RunResult&,
                   const ChartOptions&) { return QObject::tr("share of the median step"); },
    .hasData =
        [](const record::RunResult& run, const ChartOptions&) {
          return anyVariant(run, [](const auto& variant) { return !variant.devices.empty(); });
        },
    .draw = drawIdle,
    .csv = idleCsv};

}  // namespace stagelane::ui::detail
