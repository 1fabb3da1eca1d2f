#include "ui/session/document/gpu_partitions.h"

#include <QObject>
#include <array>
#include <optional>
#include <string>

#include "engine/base/find.h"
#include "engine/plan/hosts.h"
#include "ui/kit/text/formatting.h"
#include "ui/session/document/device_edits.h"
#include "ui/session/document/variant_json.h"

namespace stagelane::ui {
namespace {

/// The offered numbers of parts; files may use others.
constexpr std::array<int, 3> kDivisions{2, 3, 4};

std::optional<plan::ParsedDevice> gpuOf(const DeviceId& device) {
  if (!plan::isGpu(device)) return std::nullopt;
  return *plan::parseDevice(device);
}

DeviceId partOf(const DeviceId& gpu, int part, int parts) {
  return {gpu.value + "/" + std::to_string(part) + "of" + std::to_string(parts)};
}

bool has(const std::vector<plan::DeviceSpec>& listed, const DeviceId& id) {
  return plan::findDevice(listed, id) != nullptr;
}

/// The number of parts into which the plan divides a GPU; 0 if it has none of them.
int divisionOf(const std::vector<plan::DeviceSpec>& listed, const DeviceId& gpu) {
  for (const plan::DeviceSpec& device : listed) {
    const auto parsed = gpuOf(device.id);
    if (parsed && parsed->kind == plan::DeviceKind::GpuPartition && wholeGpu(device.id) == gpu) {
      return parsed->partitions;
    }
  }
  return 0;
}

std::vector<DeviceId> partsOf(const std::vector<plan::DeviceSpec>& listed, const DeviceId& gpu,
                              int parts) {
  std::vector<DeviceId> missing;
  for (int part = 1; part <= parts; ++part) {
    const DeviceId id = partOf(gpu, part, parts);
    if (!has(listed, id)) missing.push_back(id);
  }
  return missing;
}

void addOffers(const std::vector<plan::DeviceSpec>& listed, const DeviceId& gpu,
               std::vector<PartitionOffer>& offers) {
  if (const int parts = divisionOf(listed, gpu); parts > 0) {
    for (const DeviceId& missing : partsOf(listed, gpu, parts)) {
      offers.push_back({gpu, parts, {missing}, false});
    }
    return;
  }
  for (const int parts : kDivisions) {
    offers.push_back({gpu, parts, partsOf(listed, gpu, parts), has(listed, gpu)});
  }
}

void renameIn(Json& variant, const DeviceId& from, const DeviceId& to) {
  forEachDevice(variant, [&](Json& name) {
    if (name == from.value) name = to.value;
  });
}

}  // namespace

QString textOf(const PartitionOffer& offer) {
  const QString gpu = qstring(offer.gpu.value);
  if (offer.divides) return QObject::tr("Divide %1 into %2 partitions").arg(gpu).arg(offer.parts);
  return offer.added.size() == 1 ? QObject::tr("Add %1").arg(qstring(offer.added.front().value))
                                 : QObject::tr("Add %1 partitions of %2").arg(offer.parts).arg(gpu);
}

DeviceId wholeGpu(const DeviceId& device) {
  const auto parsed = gpuOf(device);
  if (!parsed) return {};
  return plan::onHost(plan::hostOf(device), {"cuda:" + std::to_string(parsed->index)});
}

bool isDivided(const std::vector<plan::DeviceSpec>& listed, const DeviceId& gpu) {
  return divisionOf(listed, gpu) > 0;
}

std::vector<PartitionOffer> partitionOffers(const std::vector<plan::DeviceSpec>& listed,
                                            const std::vector<DeviceId>& known) {
  std::vector<DeviceId> gpus;
  const auto note = [&gpus](const DeviceId& device) {
    const DeviceId gpu = wholeGpu(device);
    if (!gpu.value.empty() && !contains(gpus, gpu)) gpus.push_back(gpu);
  };
  for (const plan::DeviceSpec& device : listed) note(device.id);
  for (const DeviceId& device : known) note(device);
  std::vector<PartitionOffer> offers;
  for (const DeviceId& gpu : gpus) addOffers(listed, gpu, offers);
  return offers;
}

Json withPartitions(Json document, const std::vector<plan::DeviceSpec>& listed,
                    const PartitionOffer& offer) {
  Json after = withListedDevices(std::move(document), listed);
  std::optional<Bytes> share;
  std::size_t next = 0;
  for (std::size_t index = 0; offer.divides && index < listed.size(); ++index) {
    if (listed[index].id != offer.gpu) continue;
    if (listed[index].maxMemory) share = *listed[index].maxMemory / offer.parts;
    const DeviceId& first = offer.added[next++];
    after["devices"][index] = deviceJson({first, share, {}, 1.0});
    if (after.contains("variants") && after["variants"].is_array()) {
      for (Json& variant : after["variants"]) renameIn(variant, offer.gpu, first);
    }
  }
  for (; next < offer.added.size(); ++next) {
    after["devices"].push_back(deviceJson({offer.added[next], share, {}, 1.0}));
  }
  return after;
}

}  // namespace stagelane::ui
