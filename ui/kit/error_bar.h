#pragma once

/// The error bar of a gauge: a line with a cap at each side, or an arrow where the range extends
/// beyond the gauge.

#include <QPainter>
#include <QRectF>
#include <utility>

#include "ui/kit/theme.h"

namespace stagelane::ui {

/// `range` in fractions of the bar's width; ascending.
void paintErrorBar(QPainter& painter, const Theme& theme, const QRectF& bar,
                   const std::pair<double, double>& range);

}  // namespace stagelane::ui
