#include "ui/timeline/timeline_gaps.h"

#include <QObject>
#include <algorithm>

#include "ui/kit/text/formatting.h"

namespace stagelane::ui {
namespace {

constexpr double kSeenFromPx = 2.0;

/// Index into data.gaps() of the first gap that a walk considers.
std::size_t beginOf(const TimelineData& data, const TimeAxis& axis, const TimelineTarget& selection,
                    bool forward) {
  const auto& gaps = data.gaps();
  const auto here = std::find(gaps.begin(), gaps.end(), selection);
  const std::size_t count = gaps.size();
  if (here != gaps.end()) {
    const auto place = static_cast<std::size_t>(here - gaps.begin());
    return (place + (forward ? 1 : count - 1)) % count;
  }
  const bool selected = selection.kind != TimelineTarget::Kind::None;
  const double from = selected  ? static_cast<double>(data.spanOf(selection).first)
                      : forward ? axis.firstNs()
                                : axis.lastNs();
  const auto after = std::partition_point(gaps.begin(), gaps.end(), [&](const auto& gap) {
    return static_cast<double>(data.spanOf(gap).first) < from;
  });
  const auto place = static_cast<std::size_t>(after - gaps.begin());
  return (forward ? place : place + count - 1) % count;
}

}  // namespace

bool isHidden(const TimelineData& data, const TimelineTarget& gap, const LegendFilter& filter) {
  if (filter.hiddenCauses.empty()) return false;
  const auto& pieces = data.deviceStep(gap.device)->pieces;
  for (std::size_t i = gap.firstPiece; i <= gap.lastPiece; ++i) {
    if (!hides(filter, pieces[i].cause)) return false;
  }
  return true;
}

std::optional<GapStep> nextGap(const TimelineData& data, const TimeAxis& axis,
                               const TimelineTarget& selection, int direction,
                               const LegendFilter& filter) {
  const auto& gaps = data.gaps();
  if (gaps.empty()) return std::nullopt;
  const bool forward = direction > 0;
  const std::size_t begin = beginOf(data, axis, selection, forward);
  GapStep step;
  std::optional<GapStep> narrow;
  for (std::size_t i = 0; i < gaps.size(); ++i) {
    const std::size_t place = (begin + (forward ? i : gaps.size() - i)) % gaps.size();
    if (isHidden(data, gaps[place], filter)) continue;
    const auto [start, end] = data.spanOf(gaps[place]);
    const bool seen = static_cast<double>(end - start) >= kSeenFromPx * axis.nsPerPixel();
    if (seen && gaps[place] != selection) {
      step.gap = gaps[place];
      return step;
    }
    if (!narrow) narrow = GapStep{gaps[place], true, 0};
    ++step.skipped;
  }
  return narrow;
}

QString skippedText(const GapStep& step) {
  if (step.skipped == 0) return {};
  return QObject::tr("Skipped %1 too narrow to see (W zooms in)")
      .arg(countedText(static_cast<std::int64_t>(step.skipped), QObject::tr("gap"),
                       QObject::tr("gaps")));
}

}  // namespace stagelane::ui
