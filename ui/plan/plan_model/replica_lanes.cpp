#include "ui/plan/plan_model/replica_lanes.h"

#include <QObject>
#include <algorithm>
#include <set>

#include "engine/plan/device.h"
#include "engine/plan/hosts.h"
#include "ui/kit/text/formatting.h"

namespace stagelane::ui {
namespace {

/// The replica of a device; -1 if it is in no group.
int replicaOf(const std::vector<plan::DeviceGroup>& groups, const DeviceId& device) {
  for (const plan::DeviceGroup& group : groups) {
    const auto found = std::find(group.begin(), group.end(), device);
    if (found != group.end()) return static_cast<int>(found - group.begin());
  }
  return -1;
}

/// "rank 1"; "" if no device names one, or they name several.
QString placeOf(const std::vector<DeviceId>& devices) {
  if (std::none_of(devices.begin(), devices.end(), plan::namesRank)) return {};
  std::set<int> ranks;
  for (const DeviceId& device : devices) {
    const auto parsed = plan::parseDevice(device);
    if (parsed) ranks.insert(parsed->rank);
  }
  return ranks.size() == 1 ? QObject::tr("rank %1").arg(*ranks.begin()) : QString();
}

}  // namespace

ReplicaLanes::ReplicaLanes(const std::vector<plan::DeviceGroup>& groups,
                           const std::vector<DeviceId>& devices) {
  int replicas = 0;
  for (const plan::DeviceGroup& group : groups) {
    replicas = std::max(replicas, static_cast<int>(group.size()));
  }
  for (int replica = 0; replicas > 1 && replica < replicas; ++replica) {
    std::vector<DeviceId> own;
    for (const DeviceId& device : devices) {
      if (replicaOf(groups, device) == replica) own.push_back(device);
    }
    if (own.empty()) continue;
    const int first = static_cast<int>(m_order.size());
    m_order.insert(m_order.end(), own.begin(), own.end());
    m_brackets.push_back({first, static_cast<int>(m_order.size()) - 1,
                          QObject::tr("replica %1").arg(replica), placeOf(own)});
  }
  for (const DeviceId& device : devices) {
    if (std::find(m_order.begin(), m_order.end(), device) == m_order.end()) {
      m_order.push_back(device);
    }
  }
}

}  // namespace stagelane::ui
