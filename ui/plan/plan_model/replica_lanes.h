#pragma once

/// The order of the lanes where stages have replicas: the devices of a replica are together, with a
/// bracket at the left. Rules only; painting is elsewhere.

#include <QString>
#include <vector>

#include "engine/base/ids.h"
#include "engine/plan/device_group.h"

namespace stagelane::ui {

/// Room for the brackets at the left of the lanes' headers.
inline constexpr int kBracketColumn = 76;

/// The lanes of a replica.
struct ReplicaBracket {
  int firstLane = 0;
  int lastLane = 0;
  QString title;  ///< "replica 0"
  QString place;  ///< "rank 1" if its devices name their rank; empty otherwise
  friend bool operator==(const ReplicaBracket&, const ReplicaBracket&) = default;
};

class ReplicaLanes {
 public:
  ReplicaLanes() = default;
  /// @param groups of stages with several replicas; empty: the lanes are `devices` in their order
  ReplicaLanes(const std::vector<plan::DeviceGroup>& groups, const std::vector<DeviceId>& devices);

  /// From the top: the devices of each replica, then those without one.
  [[nodiscard]] const std::vector<DeviceId>& order() const { return m_order; }
  /// Empty without replicas.
  [[nodiscard]] const std::vector<ReplicaBracket>& brackets() const { return m_brackets; }
  [[nodiscard]] int columnWidth() const { return m_brackets.empty() ? 0 : kBracketColumn; }

 private:
  std::vector<DeviceId> m_order;
  std::vector<ReplicaBracket> m_brackets;
};

}  // namespace stagelane::ui
