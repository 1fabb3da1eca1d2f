#include "app/machine_lookup.h"

#include <utility>
#include <vector>

#include "app/engine_query.h"
#include "app/event_members.h"
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
    if (!flagAt(entry, "usable")) {
      continue;
    }
    ui::MachineDevice device;
    device.id.value = textAt(entry, "id");
    device.name = ui::qstring(textAt(entry, "name"));
    device.memory = static_cast<Bytes>(numberAt(entry, "memory_bytes"));
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
