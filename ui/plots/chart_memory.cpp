/// Peak memory of a run: a bar per device and variant, and the devices' budgets.

#include <QPainter>
#include <algorithm>

#include "engine/base/csv.h"
#include "ui/kit/text/formatting.h"
#include "ui/plots/chart_row.h"

namespace stagelane::ui::detail {
namespace {

constexpr double kPlaceShare = 0.86;     ///< of a device's place; the rest is the gap to the next
constexpr double kLeastBarWidth = 25.0;  ///< in pixels, including a little for the axis

Unit bytesUnit(double largest) {
  if (largest >= 1024.0 * 1024.0 * 1024.0) return {1.0 / (1024.0 * 1024.0 * 1024.0), u"GiB"_s};
  if (largest >= 1024.0 * 1024.0) return {1.0 / (1024.0 * 1024.0), u"MiB"_s};
  return {1.0 / 1024.0, u"KiB"_s};
}

QStringList memoryFacts(const ChartOptions& options, const record::DeviceResult& device) {
  QStringList facts{QObject::tr("peak %1").arg(bytesText(device.peakBytes))};
  if (const auto budget = options.budgets.find(device.id); budget != options.budgets.end()) {
    facts << QObject::tr("budget %1").arg(bytesText(budget->second));
  }
  return facts;
}

/// The share of a slot for each of this many devices.
double placeShare(std::size_t devices) {
  return 0.8 / static_cast<double>(std::max<std::size_t>(2, devices));
}

/// The bars of a variant's devices, side by side in its slot.
struct DeviceBars {
  DeviceBars(const ChartCanvas& canvas, std::size_t slotIndex, std::size_t deviceCount)
      : slot(static_cast<double>(slotIndex)),
        width(barWidth(canvas, placeShare(deviceCount) * kPlaceShare) / kPlaceShare),
        first(-width * static_cast<double>(deviceCount) / 2.0) {}
  /// The center of a device's bar.
  [[nodiscard]] double xOf(std::size_t device) const {
    return slot + first + width * (static_cast<double>(device) + 0.5);
  }
  double slot, width, first;
};

/// Bold, plain or omitted, depending on the room beside the next bar.
void paintPeak(QPainter& painter, const ChartCanvas& canvas, const QRectF& rect,
               const QString& text) {
  for (const bool bold : {true, false}) {
    const LabelLine line{text, canvas.theme.control.text, bold};
    if (!labelFits({line}, rect.width() / (bold ? 1.0 : kPlaceShare))) continue;
    paintLabel(painter, rect.center().x(), rect.top() - 2.0, {line}, {});
    return;
  }
}

/// One bar a device.
void paintMemoryBars(QPainter& painter, const ChartCanvas& canvas, const QCustomPlot& plot,
                     const Unit& unit, std::size_t index) {
  const auto& variant = canvas.run.variants[index];
  const DeviceBars bars(canvas, index, variant.devices.size());
  for (std::size_t d = 0; d < variant.devices.size(); ++d) {
    const auto& device = variant.devices[d];
    const double x = bars.xOf(d);
    const double value = static_cast<double>(device.peakBytes) * unit.factor;
    const QRectF rect = barRect(plot, x, bars.width * kPlaceShare, value);
    const auto known = std::find(canvas.run.devices.begin(), canvas.run.devices.end(), device.id);
    const auto number = known - canvas.run.devices.begin();
    QColor fill = canvas.theme.control.accent;
    fill.setAlphaF(number % 2 == 0 ? 0.88F : 0.5F);
    painter.fillRect(rect, fill);
    paintPeak(painter, canvas, rect, numberText(value, value >= 100.0 ? 0 : 1));
    if (rect.height() > 24.0 && rect.width() > 10.0 && known != canvas.run.devices.end()) {
      paintLabel(painter, rect.center().x(), rect.bottom() - 3.0,
                 {{QString::number(number),
                   number % 2 == 0 ? canvas.theme.control.onAccent : canvas.theme.control.text}},
                 {});
    }
    ChartMark mark = markOf(variant, memoryFacts(canvas.options, device), rect,
                            slotRect(canvas, plot, x, bars.width));
    nameDevice(mark, device);
    canvas.drawing.marks.push_back(std::move(mark));
  }
}

/// A dashed line at the device's budget across its bar; red if the peak is higher.
void paintBudgets(QPainter& painter, const ChartCanvas& canvas, const QCustomPlot& plot,
                  const Unit& unit, std::size_t index) {
  const auto& variant = canvas.run.variants[index];
  const DeviceBars bars(canvas, index, variant.devices.size());
  for (std::size_t d = 0; d < variant.devices.size(); ++d) {
    const auto budget = canvas.options.budgets.find(variant.devices[d].id);
    if (budget == canvas.options.budgets.end()) continue;
    const QRectF rect =
        barRect(plot, bars.xOf(d), bars.width, static_cast<double>(budget->second) * unit.factor);
    const bool over = variant.devices[d].peakBytes > budget->second;
    painter.setPen(
        QPen(over ? canvas.theme.control.error : canvas.theme.control.text, 1.4, Qt::DashLine));
    painter.drawLine(rect.topLeft(), rect.topRight());
  }
}

bool hasBars(const record::RunResult& run, const std::string& device) {
  return std::any_of(run.variants.begin(), run.variants.end(), [&](const auto& variant) {
    return std::any_of(variant.devices.begin(), variant.devices.end(),
                       [&](const auto& shown) { return shown.id == device; });
  });
}

/// "0 = cpu:0 (budget 8 GiB), 1 = cpu:1", for the devices with bars.
QString deviceNumbers(const record::RunResult& run, const ChartOptions& options) {
  QStringList parts;
  for (std::size_t i = 0; i < run.devices.size(); ++i) {
    if (!hasBars(run, run.devices[i])) continue;
    QString text = u"%1 = %2"_s.arg(i).arg(qstring(run.devices[i]));
    if (const auto budget = options.budgets.find(run.devices[i]); budget != options.budgets.end()) {
      text += QObject::tr(" (budget %1)").arg(bytesText(budget->second));
    }
    parts << text;
  }
  return parts.join(u", "_s);
}

}  // namespace

double leastMemorySlot(std::size_t devices) {
  return kLeastBarWidth / (placeShare(devices) * kPlaceShare);
}

namespace {

void drawMemory(const ChartCanvas& canvas) {
  double largest = 0.0;
  double budgets = 0.0;
  for (const auto& variant : scaleRun(canvas).variants) {
    for (const auto& device : variant.devices) {
      largest = std::max(largest, static_cast<double>(device.peakBytes));
      const auto budget = canvas.options.budgets.find(device.id);
      // A budget far above all bars would flatten them; the legend shows its value.
      if (budget != canvas.options.budgets.end()) {
        budgets = std::max(budgets, static_cast<double>(budget->second));
      }
    }
  }
  if (budgets <= 4.0 * largest) largest = std::max(largest, budgets);
  const Unit unit = bytesUnit(largest);
  auto plot = makePlot(canvas, QObject::tr("peak memory (%1)").arg(unit.name));
  const double top = topFor(canvas, largest * unit.factor, 3);
  plot->yAxis->setRangeUpper(top);
  setVariantNames(*plot, canvas);
  record(*plot, canvas);
  paintOver(canvas, [&](QPainter& painter) {
    const QRectF area = plot->axisRect()->rect();
    painter.setFont(fontOf(TextSize::Caption));
    painter.setPen(canvas.theme.control.muted);
    painter.drawText(QRectF(area.left() + 8.0, area.top(), area.width() - 16.0, 16.0),
                     Qt::AlignLeft | Qt::AlignVCenter,
                     QFontMetricsF(painter.font())
                         .elidedText(deviceNumbers(canvas.run, canvas.options), Qt::ElideRight,
                                     area.width() - 16.0));
    for (std::size_t i = 0; i < canvas.run.variants.size(); ++i) {
      paintMemoryBars(painter, canvas, *plot, unit, i);
      if (budgets <= largest) paintBudgets(painter, canvas, *plot, unit, i);
    }
  });
  paintMissing(canvas, *plot, top * 0.4);
}

void memoryCsv(std::ostream& out, const record::RunResult& run) {
  out << "variant,repeat,device,peak_bytes\n";
  for (const auto& variant : run.variants) {
    for (const auto& device : variant.devices) {
      out << csvField(variant.id) << ",," << csvField(device.id) << ',' << device.peakBytes << '\n';
    }
  }
}

bool hasPeak(const record::VariantResult& variant) {
  return std::any_of(variant.devices.begin(), variant.devices.end(),
                     [](const auto& device) { return device.peakBytes > 0; });
}

}  // namespace

const ChartRow kMemoryChart{
    .word = "memory",
    .title = QT_TRANSLATE_NOOP("QObject", "Memory"),
    .shape = ChartShape::BarPerDevice,
    .ofMedianStep = true,
    .subtitle =
        [](const record::RunResult&, const ChartOptions&) {
          return QObject::tr("peak per device, including parameters and gradients");
        },
    .hasData = [](const record::RunResult& run,
                  const ChartOptions&) { return anyVariant(run, hasPeak); },
    .draw = drawMemory,
    .csv = memoryCsv};

}  // namespace stagelane::ui::detail
