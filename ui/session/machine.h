#pragma once

/// The devices of this machine and what it can use, looked up by the owner of the engine process,
/// and the hosts that it reaches.

#include <QObject>
#include <QString>
#include <utility>
#include <vector>

#include "engine/base/ids.h"
#include "ui/session/hosts.h"

namespace stagelane::ui {

/// A device of this machine.
struct MachineDevice {
  DeviceId id;
  QString name;
  Bytes memory = 0;
};

class Machine final : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;

  /// Empty until requested and found.
  [[nodiscard]] const std::vector<MachineDevice>& devices() const { return m_devices; }
  void requestDevices() { Q_EMIT devicesRequested(); }
  void setDevices(std::vector<MachineDevice> devices) {
    m_devices = std::move(devices);
    Q_EMIT devicesChanged();
  }

  [[nodiscard]] Hosts& hosts() { return m_hosts; }

 Q_SIGNALS:
  void devicesRequested();
  void devicesChanged();

 private:
  std::vector<MachineDevice> m_devices;
  Hosts m_hosts;
};

}  // namespace stagelane::ui
