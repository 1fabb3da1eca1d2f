#pragma once

/// The names of a sweep's points below their curve: what they have in common is said once, what a
/// row of neighbours shares is said below all of them.

#include <QStringList>
#include <vector>

namespace stagelane::ui {

/// A word below the points that it is true of.
struct SweepLabel {
  QString text;  ///< "s8", "1f1b", "batch 64"
  std::size_t first = 0;
  std::size_t last = 0;
};

struct SweepLabels {
  QString common;                             ///< "batch 64 · never"; empty where nothing is
  std::vector<std::vector<SweepLabel>> rows;  ///< the first tells neighbours apart
};

/// `names` are SweepPoint::label in the order of the points.
[[nodiscard]] SweepLabels sweepLabels(const QStringList& names);

}  // namespace stagelane::ui
