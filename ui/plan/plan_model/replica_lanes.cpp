#include "ui/plan/plan_model/replica_lanes.h"

#include <QObject>
#include <QStringList>
#include <algorithm>
#include <set>

#include "engine/base/find.h"
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
QString rankOf(const std::vector<DeviceId>& devices) {
  if (std::none_of(devices.begin(), devices.end(), plan::namesRank)) return {};
  std::set<int> ranks;
  for (const DeviceId& device : devices) {
    const auto parsed = plan::parseDevice(device);
    if (parsed) ranks.insert(parsed->rank);
  }
  return ranks.size() == 1 ? QObject::tr("rank %1").arg(*ranks.begin()) : QString();
}

/// The host of all devices; "" for this machine, and if they are on several.
QString hostOf(const std::vector<DeviceId>& devices) {
  const std::string host = plan::hostOf(devices.front());
  const bool all = std::all_of(devices.begin(), devices.end(), [&host](const DeviceId& device) {
    return plan::hostOf(device) == host;
  });
  return all ? qstring(host) : QString();
}

}  // namespace

ReplicaLanes::ReplicaLanes(const std::vector<plan::DeviceGroup>& groups,
                           const std::vector<DeviceId>& devices) {
  addReplicas(groups, devices);
  m_areReplicas = !m_brackets.empty();
  if (!m_areReplicas) addHosts(devices);
  for (ReplicaBracket& bracket : m_brackets) bracket.isReplica = m_areReplicas;
  for (const DeviceId& device : devices) {
    if (!contains(m_order, device)) m_order.push_back(device);
  }
  m_column = m_brackets.empty() ? 0 : m_hostShown.empty() ? kBracketColumn : kHostColumn;
}

void ReplicaLanes::addReplicas(const std::vector<plan::DeviceGroup>& groups,
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
    QStringList place{hostOf(own), rankOf(own)};
    place.removeAll(QString());
    addBracket(own, QObject::tr("replica %1").arg(replica), place.join(u", "_s));
  }
}

/// Devices of this machine need no bracket.
void ReplicaLanes::addHosts(const std::vector<DeviceId>& devices) {
  for (const DeviceId& device : devices) {
    const std::string host = plan::hostOf(device);
    if (host.empty() || contains(m_order, device)) continue;
    std::vector<DeviceId> own;
    for (const DeviceId& other : devices) {
      if (plan::hostOf(other) == host) own.push_back(other);
    }
    // The name of the host tells more than that of the user.
    const std::size_t user = host.find('@');
    if (user == std::string::npos) {
      addBracket(own, qstring(host), {});
    } else {
      addBracket(own, qstring(host.substr(user + 1)),
                 QObject::tr("user %1").arg(qstring(host.substr(0, user))));
    }
  }
}

void ReplicaLanes::addBracket(const std::vector<DeviceId>& own, const QString& title,
                              const QString& place) {
  const int first = static_cast<int>(m_order.size());
  m_order.insert(m_order.end(), own.begin(), own.end());
  m_brackets.push_back({first, static_cast<int>(m_order.size()) - 1, title, place});
  if (!hostOf(own).isEmpty()) m_hostShown.insert(m_hostShown.end(), own.begin(), own.end());
}

QString ReplicaLanes::nameOf(const DeviceId& device) const {
  return qstring(contains(m_hostShown, device) ? plan::withoutHost(device).value : device.value);
}

}  // namespace stagelane::ui
