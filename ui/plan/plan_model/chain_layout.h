#pragma once

/// Geometry of the Plan page: x of the chips on the axis that all lanes share, and y of the lanes.
/// Pure numbers. A chip's x depends on the chain, the open groups and the width setting, never on
/// its device.

#include <QSet>
#include <QString>
#include <optional>
#include <vector>

#include "engine/model/model.h"

namespace stagelane::ui {

/// A parent of several blocks (`layer1` of `layer1.0` …): consecutive blocks [first, last].
struct ChainGroup {
  QString name;
  std::size_t first = 0;
  std::size_t last = 0;
};
/// Consecutive blocks whose names share the part before the first dot; single blocks form no group.
[[nodiscard]] std::vector<ChainGroup> groupsOf(const model::Model& model);

struct ChainRequest {
  std::vector<QString> names;   ///< of the blocks
  std::vector<double> weights;  ///< of the blocks; determine the widths
  std::vector<ChainGroup> groups;
  QSet<QString> openGroups;
  qreal width = 0;  ///< to be filled
  qreal minimumChip = 18;
  qreal gap = 2;
};

/// A block, or a closed group.
struct ChipPlace {
  QString name;
  std::size_t first = 0;
  std::size_t last = 0;
  bool group = false;
  bool clamped = false;  ///< wider than its weight
  qreal x = 0;
  qreal width = 0;
};

struct GroupPlace {
  ChainGroup group;
  bool open = false;
  qreal x = 0;
  qreal width = 0;
};

struct ChainLayout {
  std::vector<ChipPlace> chips;
  std::vector<GroupPlace> groups;
  qreal width = 0;  ///< what the chips need: the request's width, or more if all are clamped
  int clamped = 0;

  /// The chip that shows a block.
  [[nodiscard]] std::optional<std::size_t> chipOfBlock(std::size_t block) const;
  /// x of the cut before `block`: the middle of the gap. Inside a closed group it is interpolated.
  [[nodiscard]] qreal cutX(std::size_t block) const;
};
[[nodiscard]] ChainLayout layoutChain(const ChainRequest& request);

/// Lanes from top to bottom, in the coordinates of the view.
struct LaneStack {
  qreal top = 0;
  qreal laneHeight = 72;
  qreal laneGap = 28;
  int count = 0;
  [[nodiscard]] qreal laneTop(int lane) const { return top + lane * (laneHeight + laneGap); }
  [[nodiscard]] qreal bottom() const;
  /// The lane at y; between lanes the nearer one; none above the first or below the last.
  [[nodiscard]] std::optional<int> laneAt(qreal y) const;
};

}  // namespace stagelane::ui
