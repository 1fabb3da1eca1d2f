#include "ui/plots/chart_cursor.h"

#include <QPointF>
#include <algorithm>
#include <array>

namespace stagelane::ui {
namespace {

constexpr double kNoteGap = 6.0;

int countOf(ChartPlace place, ChartItems items) {
  return place == ChartPlace::Legend ? items.legend : items.bars;
}

bool leadsBack(ChartStep step) { return step == ChartStep::Left || step == ChartStep::Up; }

}  // namespace

ChartCursor moved(ChartCursor cursor, ChartStep step, ChartItems items) {
  cursor = kept(cursor, items);
  if (cursor.place == ChartPlace::Nowhere) {
    return items.bars > 0 ? ChartCursor{ChartPlace::Bar, 0} : cursor;
  }
  const bool inLegend = cursor.place == ChartPlace::Legend;
  if (inLegend && step == ChartStep::Down && items.bars > 0) return {ChartPlace::Bar, 0};
  if (inLegend && step == ChartStep::Up) return cursor;
  if (!inLegend && step == ChartStep::Up && cursor.index == 0 && items.legend > 0) {
    return {ChartPlace::Legend, 0};
  }
  const int last = countOf(cursor.place, items) - 1;
  if (step == ChartStep::First) return {cursor.place, 0};
  if (step == ChartStep::Last) return {cursor.place, last};
  return {cursor.place, std::clamp(cursor.index + (leadsBack(step) ? -1 : 1), 0, last)};
}

ChartCursor kept(ChartCursor cursor, ChartItems items) {
  const bool isThere = cursor.place != ChartPlace::Nowhere && cursor.index >= 0 &&
                       cursor.index < countOf(cursor.place, items);
  return isThere ? cursor : ChartCursor{};
}

QRectF notePlace(const QRectF& mark, QSizeF size, const QRectF& area) {
  const double top =
      std::clamp(mark.top(), area.top(), std::max(area.top(), area.bottom() - size.height()));
  const double left = std::clamp(mark.center().x() - size.width() / 2.0, area.left(),
                                 std::max(area.left(), area.right() - size.width()));
  const std::array places{QPointF(mark.right() + kNoteGap, top),
                          QPointF(mark.left() - kNoteGap - size.width(), top),
                          QPointF(left, mark.bottom() + kNoteGap),
                          QPointF(left, mark.top() - kNoteGap - size.height())};
  for (const QPointF& place : places) {
    if (area.contains(QRectF(place, size))) return {place, size};
  }
  return {QPointF(left, top), size};
}

}  // namespace stagelane::ui
