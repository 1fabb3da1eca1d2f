#include "app/machine_lookup.h"

#include <utility>
#include <vector>

#include "app/engine_query.h"
#include "ui/models/formatting.h"

namespace stagelane::app {
namespace {

std::vector<ui::MachineDevice> usableDevices() {
  std::vector<ui::MachineDevice> devices;
  const auto listed = queryDevices();
  if (!listed) {
    return devices;
  }
  for (const Json& entry : *listed) {
    if (!entry.is_object() || !entry.value("usable", false)) {
      continue;
    }
    ui::MachineDevice device;
    device.id.value = entry.value("id", std::string());
    device.name = ui::qstring(entry.value("name", std::string()));
    device.memory = entry.value("memory_bytes", Bytes{0});
    devices.push_back(std::move(device));
  }
  return devices;
}

}  // namespace

MachineLookup::MachineLookup(ui::Session* session, QObject* parent)
    : QObject(parent), m_session(session) {
  connect(session, &ui::Session::machineDevicesRequested, this, &MachineLookup::look);
}

void MachineLookup::look() {
  if (m_asked) {
    return;
  }
  m_asked = true;
  m_job.start([session = m_session](const std::atomic<bool>&) -> std::function<void()> {
    return [session, devices = usableDevices()] { session->setMachineDevices(devices); };
  });
}

}  // namespace stagelane::app
