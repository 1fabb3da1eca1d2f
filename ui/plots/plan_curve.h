#pragma once

/// The predicted step over alternatives of one plan, for export: every cut of its chain, or every
/// split size. The window draws the same curves smaller and clickable.

#include <QPainter>
#include <QString>
#include <optional>
#include <vector>

#include "ui/kit/theme.h"
#include "ui/session/prediction/plan_suggestions.h"

namespace stagelane::ui {

struct PlanCurve {
  struct Point {
    QString label;  ///< "layer3.0", "16"
    double x = 0.0;
    TimeNs stepNs = 0;
    bool overBudget = false;
  };
  QString title;
  QString subtitle;  ///< "gpipe, split size 12 · estimate"
  QString xTitle;    ///< "block that begins the second stage"
  QString column;    ///< of the table: "cut_before"
  predict::Basis basis = predict::Basis::Estimate;
  std::vector<Point> points;        ///< by ascending x
  std::optional<std::size_t> own;   ///< the current plan
  std::optional<std::size_t> best;  ///< ringed
};

/// Paints at the painter's origin; the time axis starts at 0. @pre points is not empty
void paintPlanCurve(QPainter& painter, const PlanCurve& curve, QSizeF size, const Theme& theme);

/// A row per point: its label, its step in seconds, whether it fits.
[[nodiscard]] QString planCurveCsv(const PlanCurve& curve);

}  // namespace stagelane::ui
