#pragma once

/// Where a label goes among things it should not cover.

#include <QRectF>
#include <vector>

namespace stagelane::ui {

struct Obstacle {
  QRectF rect;
  double weight = 1.0;  ///< how bad a covered pixel is
};

/// The candidate that covers least; of equal ones the first. @pre there is a candidate
[[nodiscard]] QRectF calmestPlace(const std::vector<QRectF>& candidates,
                                  const std::vector<Obstacle>& obstacles);

}  // namespace stagelane::ui
