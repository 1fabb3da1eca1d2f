#pragma once

/// The predicted step over the choices of one plan, on paper: every cut of its chain, or every
/// split size. The window draws the same curves smaller, where they are clicked.

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
  std::optional<std::size_t> own;   ///< the plan as it is
  std::optional<std::size_t> best;  ///< ringed
};

/// Paints at the painter's origin; time from 0, as on the Charts page. @pre points is not empty
void paintPlanCurve(QPainter& painter, const PlanCurve& curve, QSizeF size, const Theme& theme);

/// A row for each point: what it is, its step in seconds, whether it fits.
[[nodiscard]] QString planCurveCsv(const PlanCurve& curve);

}  // namespace stagelane::ui
