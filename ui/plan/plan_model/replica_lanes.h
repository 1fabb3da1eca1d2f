#pragma once

/// The order of the lanes where stages have replicas, or devices are on other hosts: the devices of
/// a replica, else those of a host, are together, with a bracket at the left. Rules only; painting
/// is elsewhere.

#include <QString>
#include <vector>

#include "engine/base/ids.h"
#include "engine/plan/device_group.h"

namespace stagelane::ui {

/// Room for the brackets at the left of the lanes' headers; names of hosts are longer.
inline constexpr int kBracketColumn = 76;
inline constexpr int kHostColumn = 104;

/// The lanes of a replica or a host.
struct ReplicaBracket {
  int firstLane = 0;
  int lastLane = 0;
  QString title;  ///< "replica 0", "gpu-box"
  QString
      place;  ///< of a replica: "gpu-box, rank 1" if all its devices name it; of a host: "user me"
  bool isReplica = true;  ///< false: of a host
  friend bool operator==(const ReplicaBracket&, const ReplicaBracket&) = default;
};

class ReplicaLanes {
 public:
  ReplicaLanes() = default;
  /// @param groups of stages with several replicas; empty: the lanes are `devices` in their order,
  /// those of a host together
  ReplicaLanes(const std::vector<plan::DeviceGroup>& groups, const std::vector<DeviceId>& devices);

  /// From the top: the devices of each replica, or of each host, then those without one.
  [[nodiscard]] const std::vector<DeviceId>& order() const { return m_order; }
  /// Empty without replicas and hosts.
  [[nodiscard]] const std::vector<ReplicaBracket>& brackets() const { return m_brackets; }
  [[nodiscard]] bool areReplicas() const { return m_areReplicas; }
  [[nodiscard]] int columnWidth() const { return m_column; }
  /// The name in the header of a lane: without the host that its bracket shows.
  [[nodiscard]] QString nameOf(const DeviceId& device) const;

 private:
  void addReplicas(const std::vector<plan::DeviceGroup>& groups,
                   const std::vector<DeviceId>& devices);
  void addHosts(const std::vector<DeviceId>& devices);
  void addBracket(const std::vector<DeviceId>& own, const QString& title, const QString& place);

  std::vector<DeviceId> m_order;
  std::vector<ReplicaBracket> m_brackets;
  std::vector<DeviceId> m_hostShown;  ///< devices whose bracket shows their host
  bool m_areReplicas = false;
  int m_column = 0;
};

}  // namespace stagelane::ui
