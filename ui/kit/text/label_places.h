#pragma once

/// Places a label among things that it should not cover.

#include <QRectF>
#include <vector>

namespace stagelane::ui {

struct Obstacle {
  QRectF rect;
  double weight = 1.0;  ///< cost per covered pixel
};

/// The candidate that covers least; the first of equal ones. @pre there is a candidate
[[nodiscard]] QRectF calmestPlace(const std::vector<QRectF>& candidates,
                                  const std::vector<Obstacle>& obstacles);

}  // namespace stagelane::ui
