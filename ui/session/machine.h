#pragma once

/// What this machine has and can use. Pages ask for it; whoever owns the engine process looks it
/// up.

#include <QObject>
#include <QString>
#include <utility>
#include <vector>

#include "engine/base/ids.h"

namespace stagelane::ui {

/// A device that this machine has.
struct MachineDevice {
  DeviceId id;
  QString name;
  Bytes memory = 0;
};

class Machine final : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;

  /// Empty until somebody asked for them and they were looked up.
  [[nodiscard]] const std::vector<MachineDevice>& devices() const { return m_devices; }
  void requestDevices() { Q_EMIT devicesRequested(); }
  void setDevices(std::vector<MachineDevice> devices) {
    m_devices = std::move(devices);
    Q_EMIT devicesChanged();
  }

 Q_SIGNALS:
  void devicesRequested();
  void devicesChanged();

 private:
  std::vector<MachineDevice> m_devices;
};

}  // namespace stagelane::ui
