#include "ui/kit/text/label_places.h"

namespace stagelane::ui {

QRectF calmestPlace(const std::vector<QRectF>& candidates, const std::vector<Obstacle>& obstacles) {
  QRectF best = candidates.front();
  double least = -1.0;
  for (const QRectF& candidate : candidates) {
    double covered = 0.0;
    for (const Obstacle& obstacle : obstacles) {
      const QRectF common = candidate.intersected(obstacle.rect);
      covered += common.width() * common.height() * obstacle.weight;
    }
    if (least < 0.0 || covered < least) {
      least = covered;
      best = candidate;
    }
  }
  return best;
}

}  // namespace stagelane::ui
