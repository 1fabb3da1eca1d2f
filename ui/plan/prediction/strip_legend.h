#pragma once

/// The legend of the predicted timeline: kinds of work and idle causes that the step has.

#include <QPainter>
#include <QRectF>

#include "ui/kit/theme.h"
#include "ui/session/prediction/prediction.h"

namespace stagelane::ui {

/// At the right of `place`. Entries that do not fit are dropped from the end; work comes before
/// idle causes.
void paintStripLegend(QPainter& painter, const Theme& theme, const PlanPrediction& shown,
                      const QRectF& place);

}  // namespace stagelane::ui
