#include "ui/plan/prediction/strip_legend.h"

#include <QObject>
#include <algorithm>
#include <vector>

#include "engine/trace/trace.h"
#include "profiler/analysis/idle.h"
#include "ui/plan/prediction/predicted_tracks.h"
#include "ui/tracks/timeline_data.h"

namespace stagelane::ui {
namespace {

struct LegendEntry {
  QString text;
  QBrush brush;
  bool framed = false;
  QColor color;
};

/// The data that the strip draws.
std::vector<LegendEntry> legendOf(const PlanPrediction& shown, const Theme& theme, qreal ratio) {
  using analysis::Cause;
  std::vector<LegendEntry> entries;
  const auto add = [&](Cause cause) {
    const auto index = static_cast<std::size_t>(cause);
    if (std::any_of(shown.breakdown.devices.begin(), shown.breakdown.devices.end(),
                    [index](const auto& device) { return device.causeNs[index] > 0; })) {
      entries.push_back({causeText(cause), brushOf(theme, cause, ratio), !analysis::isBusy(cause),
                         colorOf(theme, cause)});
    }
  };
  for (const Cause cause : {Cause::Forward, Cause::Backward, Cause::BackwardInput,
                            Cause::BackwardWeight, Cause::Optimizer}) {
    add(cause);
  }
  if (hasCopies(shown)) {
    entries.push_back({QObject::tr("copy"), theme.action.copy, false, theme.action.copy});
  }
  if (hasReduces(shown)) {
    const QColor color = fillOf(theme, trace::Category::Reduce);
    entries.push_back({categoryText(trace::Category::Reduce), color, false, color});
  }
  for (const Cause cause : analysis::kShownIdleCauses) {
    if (cause != Cause::Unattributed) add(cause);
  }
  return entries;
}

}  // namespace

void paintStripLegend(QPainter& painter, const Theme& theme, const PlanPrediction& shown,
                      const QRectF& place) {
  const std::vector<LegendEntry> entries =
      legendOf(shown, theme, painter.device()->devicePixelRatioF());
  const QFont font = fontOf(TextSize::Caption);
  const QFontMetricsF metrics(font);
  std::size_t fitting = 0;
  qreal total = 0;
  for (const LegendEntry& candidate : entries) {
    const qreal needed = metrics.horizontalAdvance(candidate.text) + 30;
    if (total + needed > place.width()) break;
    total += needed;
    ++fitting;
  }
  qreal x = place.right() - 12 - total + 14;
  painter.setFont(font);
  for (std::size_t at = 0; at < fitting; ++at) {
    const LegendEntry& next = entries[at];
    const QRectF box(x + 0.5, place.center().y() - 5.5, 11, 11);
    painter.setPen(next.framed ? QPen(next.color, 1) : QPen(Qt::NoPen));
    painter.setBrush(next.brush);
    painter.drawRoundedRect(box, 2, 2);
    const qreal textWidth = metrics.horizontalAdvance(next.text);
    painter.setPen(theme.control.muted);
    painter.drawText(QRectF(x + 16, place.top(), textWidth + 1, place.height()), Qt::AlignVCenter,
                     next.text);
    x += textWidth + 30;
  }
}

}  // namespace stagelane::ui
