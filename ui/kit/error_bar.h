#pragma once

/// The error bar of a gauge: a line with an end at each side. Where the range goes on beyond the
/// gauge there is an arrow in place of the end.

#include <QPainter>
#include <QRectF>
#include <utility>

#include "ui/kit/theme.h"

namespace stagelane::ui {

/// `range` in shares of the bar's width; ascending.
void paintErrorBar(QPainter& painter, const Theme& theme, const QRectF& bar,
                   const std::pair<double, double>& range);

}  // namespace stagelane::ui
