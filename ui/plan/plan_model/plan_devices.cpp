#include "ui/plan/plan_model/plan_devices.h"

#include <algorithm>

#include "engine/plan/experiment.h"
#include "engine/plan/imagined.h"
#include "ui/kit/text/formatting.h"
#include "ui/session/document/device_edits.h"
#include "ui/session/document/document.h"
#include "ui/session/machine.h"
#include "ui/session/prediction/costs.h"
#include "ui/session/run/earlier_results.h"
#include "ui/session/run/measured_results.h"
#include "ui/session/run/run_state.h"
#include "ui/session/session.h"

namespace stagelane::ui {
namespace {

constexpr std::size_t kMostDevices = 64;

std::optional<std::size_t> placeOf(const std::vector<plan::DeviceSpec>& devices,
                                   const DeviceId& id) {
  const auto found = std::find_if(devices.begin(), devices.end(),
                                  [&](const plan::DeviceSpec& device) { return device.id == id; });
  return found == devices.end()
             ? std::nullopt
             : std::optional<std::size_t>(static_cast<std::size_t>(found - devices.begin()));
}

/// The first block that any tab locks to `device`: an edit of the devices changes all tabs.
std::optional<QString> lockedOn(const ExperimentDocument& document, const DeviceId& device) {
  const auto experiment = document.lastReadable();
  for (const VariantTab& tab : document.tabs()) {
    const auto lock = firstLock(document.lockedBlocks(tab.id), *experiment->model,
                                [&](std::size_t, const DeviceId& to) { return to == device; });
    if (lock) return unlockText(*lock, tab.name);
  }
  return std::nullopt;
}

}  // namespace

PlanDevices::PlanDevices(Session* session, QObject* parent) : QObject(parent), m_session(session) {}

std::vector<plan::DeviceSpec> PlanDevices::listed() const {
  const auto experiment = m_session->document().lastReadable();
  return experiment ? experiment->devices : std::vector<plan::DeviceSpec>();
}

std::optional<plan::DeviceSpec> PlanDevices::spec(const DeviceId& device) const {
  const auto devices = listed();
  const auto place = placeOf(devices, device);
  return place ? std::optional<plan::DeviceSpec>(devices[*place]) : std::nullopt;
}

std::vector<MachineDevice> PlanDevices::otherGpus() const {
  const auto devices = listed();
  std::vector<MachineDevice> others;
  for (const MachineDevice& device : m_session->machine().devices()) {
    const auto parsed = plan::parseDevice(device.id);
    const bool gpu = parsed && parsed->kind == plan::DeviceKind::Gpu;
    if (gpu && !placeOf(devices, device.id) && !isDivided(devices, device.id)) {
      others.push_back(device);
    }
  }
  return others;
}

std::vector<PartitionOffer> PlanDevices::partitionOffers() const {
  std::vector<DeviceId> known;
  for (const MachineDevice& device : m_session->machine().devices()) known.push_back(device.id);
  if (const CostTablePtr costs = m_session->costs().table()) {
    for (const predict::BlockCosts& block : costs->blocks) {
      if (block.device) known.push_back(*block.device);
    }
  }
  return ui::partitionOffers(listed(), known);
}

void PlanDevices::addPartitions(const PartitionOffer& offer) {
  const auto devices = listed();
  const std::size_t after = devices.size() + offer.added.size() - (offer.divides ? 1 : 0);
  if (devices.empty() || after > kMostDevices) {
    Q_EMIT refused(tr("A plan has at most %1 devices").arg(kMostDevices));
    return;
  }
  ExperimentDocument& document = m_session->document();
  document.apply(textOf(offer), withPartitions(document.json(), devices, offer));
}

void PlanDevices::addCpuWorker() { add({nextCpuWorker(listed()), {}, {}, 1.0}); }

void PlanDevices::add(const plan::DeviceSpec& device) {
  const auto devices = listed();
  if (devices.empty() || devices.size() >= kMostDevices || placeOf(devices, device.id)) {
    Q_EMIT refused(devices.size() >= kMostDevices
                       ? tr("A plan has at most %1 devices").arg(kMostDevices)
                       : tr("Cannot add %1: the plan is missing or already has this device")
                             .arg(qstring(device.id.value)));
    return;
  }
  ExperimentDocument& document = m_session->document();
  document.apply(tr("Add %1").arg(qstring(device.id.value)),
                 withDevice(document.json(), devices, deviceJson(device)));
}

QString PlanDevices::addingRefusal(const std::vector<DeviceId>& added, ListedDevices listed) const {
  const auto devices = this->listed();
  const std::size_t kept = listed == ListedDevices::Stay ? devices.size() : 0;
  if (devices.empty()) return tr("The plan cannot be read");
  if (kept + added.size() > kMostDevices)
    return tr("A plan has at most %1 devices").arg(kMostDevices);
  for (const DeviceId& device : added) {
    if (kept > 0 && placeOf(devices, device)) {
      return tr("The plan already has %1").arg(qstring(device.value));
    }
  }
  if (kept == 0 && m_session->runState().phase() != RunPhase::Idle) {
    return tr("The plan's devices are running. Wait for the run to finish, or cancel it");
  }
  return {};
}

bool PlanDevices::addAll(const std::vector<DeviceId>& added, ListedDevices listed) {
  if (added.empty()) return false;
  if (const QString reason = addingRefusal(added, listed); !reason.isEmpty()) {
    Q_EMIT refused(reason);
    return false;
  }
  const auto devices = this->listed();
  ExperimentDocument& document = m_session->document();
  Json after = document.json();
  if (listed == ListedDevices::AreReplaced) {
    after = withOtherDevices(std::move(after), devices, added);
  } else {
    for (const DeviceId& device : added) {
      after = withDevice(std::move(after), devices, device.value);
    }
  }
  const QString first = qstring(added.front().value);
  const auto more = static_cast<int>(added.size()) - 1;
  const QString step =
      more == 0 ? tr("Add %1").arg(first) : tr("Add %1 and %2 more").arg(first).arg(more);
  return document.apply(step, std::move(after));
}

void PlanDevices::change(const plan::DeviceSpec& settings) {
  const auto devices = listed();
  const auto place = placeOf(devices, settings.id);
  ExperimentDocument& document = m_session->document();
  if (place && (document.experiment() || !listsOthers(document.json(), devices))) {
    document.apply(tr("Change %1").arg(qstring(settings.id.value)),
                   withDeviceSettings(document.json(), devices, *place, settings));
  }
}

std::optional<QString> PlanDevices::removalRefusal(const DeviceId& device) const {
  const auto devices = listed();
  if (!placeOf(devices, device)) return tr("This plan has no device %1").arg(qstring(device.value));
  // The lanes are those of the last plan that could be read.
  const ExperimentDocument& document = m_session->document();
  if (!document.experiment() && listsOthers(document.json(), devices)) {
    return tr("The experiment cannot be read. Fix it before changing devices");
  }
  if (devices.size() < 2)
    return tr("%1 is the only device. Add another one before removing it")
        .arg(qstring(device.value));
  if (m_session->runState().phase() != RunPhase::Idle) {
    const RunResultPtr run = m_session->results().result();
    const bool used = !run || run->devices.empty() ||
                      std::count(run->devices.begin(), run->devices.end(), device.value) > 0;
    if (used) {
      return tr("%1 is running. Wait for the run to finish, or cancel it")
          .arg(qstring(device.value));
    }
  }
  return lockedOn(m_session->document(), device);
}

bool PlanDevices::remove(const DeviceId& device) {
  if (const auto reason = removalRefusal(device)) {
    Q_EMIT refused(*reason);
    return false;
  }
  const auto devices = listed();
  ExperimentDocument& document = m_session->document();
  document.apply(tr("Remove %1").arg(qstring(device.value)),
                 withoutDevice(document.json(), devices, *placeOf(devices, device)));
  return true;
}

}  // namespace stagelane::ui
