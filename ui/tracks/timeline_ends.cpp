#include "ui/tracks/timeline_ends.h"

#include <QFontMetricsF>
#include <QObject>
#include <algorithm>

#include "ui/kit/text/formatting.h"
#include "ui/kit/theme.h"

namespace stagelane::ui {
namespace {

constexpr double kBesideLine = 4.0;
constexpr double kApart = 8.0;

struct End {
  TimeNs timeNs = 0;
  QString text;
  bool predicted = false;
};

std::vector<End> endsOf(const TimelineData& data, TimeNs shiftNs) {
  std::vector<End> ends;
  // Work before and after it means that the whole trace has no step length.
  if (!data.whole()) ends.push_back({data.wallNs(), timeText(data.step().wallNs()), false});
  if (data.predictedStep() != nullptr) {
    const TimeNs wall = data.predictedStep()->wallNs();
    ends.push_back({wall + shiftNs, QObject::tr("predicted %1").arg(timeText(wall)), true});
  }
  std::stable_sort(ends.begin(), ends.end(),
                   [](const End& a, const End& b) { return a.timeNs > b.timeNs; });
  return ends;
}

}  // namespace

std::vector<RulerEnd> rulerEnds(const TimelineData& data, const TimeAxis& axis, TimeNs shiftNs,
                                double height) {
  std::vector<RulerEnd> labels;
  double room = axis.widthPx() - kBesideLine;
  for (const End& end : endsOf(data, shiftNs)) {
    const double x = axis.xOf(static_cast<double>(end.timeNs));
    if (x < 0.0 || x > axis.widthPx() + 1e-6) continue;
    const QFontMetricsF metrics(
        fontOf(TextSize::Caption, end.predicted ? TextWeight::Regular : TextWeight::Bold));
    const double width = metrics.horizontalAdvance(end.text);
    const double right = std::min(x - kBesideLine, room);
    if (right - width < 0.0) continue;
    labels.push_back({end.predicted, end.text, QRectF(right - width, 0.0, width, height)});
    room = right - width - kApart;
  }
  return labels;
}

}  // namespace stagelane::ui
