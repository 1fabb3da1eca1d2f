#pragma once

/// Labels of a sweep's points below their curve: the common parts once, and parts that neighbors
/// share once below all of them.

#include <QStringList>
#include <vector>

namespace stagelane::ui {

/// A label below the points that share it.
struct SweepLabel {
  QString text;  ///< "s8", "1f1b", "batch 64"
  std::size_t first = 0;
  std::size_t last = 0;
};

struct SweepLabels {
  QString common;                             ///< "batch 64 · never"; empty for none
  std::vector<std::vector<SweepLabel>> rows;  ///< the first row tells neighbors apart
};

/// `names` are SweepPoint::label in the order of the points.
[[nodiscard]] SweepLabels sweepLabels(const QStringList& names);

}  // namespace stagelane::ui
