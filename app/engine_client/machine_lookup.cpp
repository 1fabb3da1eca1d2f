#include "app/engine_client/machine_lookup.h"

#include <optional>
#include <utility>
#include <vector>

#include "app/engine_client/engine_query.h"
#include "app/engine_client/event_members.h"
#include "engine/base/json.h"
#include "ui/kit/text/formatting.h"
#include "ui/session/machine.h"
#include "ui/session/session.h"

namespace stagelane::app {
namespace {

/// Empty if the engine does not answer.
std::optional<std::vector<ui::MachineDevice>> usableDevices() {
  const auto listed = queryDevices();
  if (!listed) return std::nullopt;
  std::vector<ui::MachineDevice> devices;
  for (const Json& entry : *listed) {
    if (!flagAt(entry, "usable")) continue;
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
  connect(&session->machine(), &ui::Machine::devicesRequested, this, &MachineLookup::look);
}

void MachineLookup::look() {
  if (m_known || m_job.running()) return;
  m_job.start([this](const std::atomic<bool>&) -> std::function<void()> {
    const auto devices = usableDevices();
    if (!devices) {
      return {};  // retried the next time
    }
    return [this, devices] {
      m_known = true;
      m_session->machine().setDevices(*devices);
    };
  });
}

}  // namespace stagelane::app
