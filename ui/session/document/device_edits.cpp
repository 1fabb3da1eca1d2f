#include "ui/session/document/device_edits.h"

#include <QObject>
#include <algorithm>
#include <optional>
#include <string>

#include "engine/plan/hosts.h"
#include "engine/plan/imagined.h"
#include "ui/kit/text/formatting.h"
#include "ui/session/document/variant_json.h"

namespace stagelane::ui {
namespace {

bool has(const std::vector<plan::DeviceSpec>& devices, const DeviceId& id) {
  return plan::findDevice(devices, id) != nullptr;
}

/// The host of all real devices; "" for this machine, and if they are on several.
std::string hostOfAll(const std::vector<plan::DeviceSpec>& devices) {
  std::optional<std::string> host;
  for (const plan::DeviceSpec& device : devices) {
    if (plan::isImagined(device)) continue;
    const std::string own = plan::hostOf(device.id);
    if (host.value_or(own) != own) return {};
    host = own;
  }
  return host.value_or(std::string());
}

DeviceId firstFree(const std::vector<plan::DeviceSpec>& devices, const std::string& kind) {
  for (int number = 0;; ++number) {
    DeviceId id{kind + std::to_string(number)};
    if (!has(devices, id)) return id;
  }
}

/// A removal as the rest of the document sees it: the removed name and the target of its blocks.
struct Removal {
  const std::vector<plan::DeviceSpec>& devices;
  std::size_t gone;
  std::size_t heir;

  /// The number in `#N`; nothing for a name.
  [[nodiscard]] static std::optional<std::size_t> numberOf(const std::string& text) {
    const bool number = text.size() > 1 && text.size() <= 5 && text.front() == '#' &&
                        text.find_first_not_of("0123456789", 1) == std::string::npos;
    return number ? std::optional<std::size_t>(std::stoul(text.substr(1))) : std::nullopt;
  }

  void apply(Json& name) const {
    if (!name.is_string()) return;
    const auto text = name.get<std::string>();
    if (const auto number = numberOf(text)) {
      const std::size_t kept = *number == gone ? heir : *number;
      name = "#" + std::to_string(kept > gone ? kept - 1 : kept);
    } else if (text == devices[gone].id.value) {
      name = devices[heir].id.value;
    }
  }
};

/// Whether the document names its devices instead of leaving them to the machine.
bool listsEach(const Json& written) {
  return written.is_array() && std::none_of(written.begin(), written.end(), [](const Json& item) {
           return item.is_object() && item.contains("auto");
         });
}

/// Merges consecutive stages that are now on one device.
void joinStages(Json& stages) {
  Json joined = Json::array();
  for (Json& stage : stages) {
    const bool same = !joined.empty() && joined.back().is_object() && stage.is_object() &&
                      joined.back().value("device", Json()) == stage.value("device", Json());
    if (!same) joined.push_back(std::move(stage));
  }
  stages = std::move(joined);
}

/// Two replicas of a stage need different devices.
void dropRepeatedReplicas(Json& stages) {
  for (Json& stage : stages) {
    if (!stage.is_object() || !stage.contains("device") || !stage["device"].is_array()) continue;
    Json once = Json::array();
    for (Json& device : stage["device"]) {
      if (std::find(once.begin(), once.end(), device) == once.end()) once.push_back(device);
    }
    stage["device"] = once.size() == 1 ? Json(once.front()) : once;
  }
}

void removeFrom(Json& variant, const Removal& removal) {
  if (!variant.is_object()) return;
  const Json before = variant.value("stages", Json());
  forEachDevice(variant, [&removal](Json& name) { removal.apply(name); });
  const auto stages = variant.find("stages");
  if (stages != variant.end() && stages->is_array() && *stages != before) {
    dropRepeatedReplicas(*stages);
    joinStages(*stages);
  }
}

}  // namespace

Json deviceJson(const plan::DeviceSpec& device) {
  Json json{{"id", device.id.value}};
  if (device.like) {
    json["like"] = device.like->value;
    json["speed"] = device.speed;
  }
  if (device.maxMemory) json["max_memory"] = *device.maxMemory;
  return json.size() > 1 ? json : json["id"];
}

bool listsOthers(const Json& document, const std::vector<plan::DeviceSpec>& devices) {
  const Json written = document.value("devices", Json());
  return listsEach(written) &&
         !std::equal(written.begin(), written.end(), devices.begin(), devices.end(),
                     [](const Json& item, const plan::DeviceSpec& device) {
                       return item == device.id.value || textMember(item, "id") == device.id.value;
                     });
}

Json withListedDevices(Json document, const std::vector<plan::DeviceSpec>& devices) {
  if (!listsEach(document["devices"])) {
    Json list = Json::array();
    for (const plan::DeviceSpec& device : devices) list.push_back(deviceJson(device));
    document["devices"] = std::move(list);
  }
  return document;
}

Json withDevice(Json document, const std::vector<plan::DeviceSpec>& devices, Json device) {
  Json after = withListedDevices(std::move(document), devices);
  after["devices"].push_back(std::move(device));
  return after;
}

Json withDeviceSettings(Json document, const std::vector<plan::DeviceSpec>& devices,
                        std::size_t index, const plan::DeviceSpec& settings) {
  Json after = withListedDevices(std::move(document), devices);
  plan::DeviceSpec device = settings;
  device.id = devices[index].id;
  after["devices"][index] = deviceJson(device);
  return after;
}

Json withoutDevice(Json document, const std::vector<plan::DeviceSpec>& devices, std::size_t index) {
  Json after = withListedDevices(std::move(document), devices);
  const Removal removal{devices, index, index > 0 ? index - 1 : 1};
  if (after.contains("variants") && after["variants"].is_array()) {
    for (Json& variant : after["variants"]) removeFrom(variant, removal);
  }
  after["devices"].erase(index);
  return after;
}

Json withOtherDevices(Json document, std::vector<plan::DeviceSpec> devices,
                      const std::vector<DeviceId>& others) {
  Json after = withListedDevices(std::move(document), devices);
  while (devices.size() > others.size()) {
    after = withoutDevice(std::move(after), devices, devices.size() - 1);
    devices.pop_back();
  }
  const auto rename = [&](Json& name) {
    for (std::size_t index = 0; index < devices.size(); ++index) {
      if (name == devices[index].id.value) {
        name = others[index].value;
        return;
      }
    }
  };
  if (after.contains("variants") && after["variants"].is_array()) {
    for (Json& variant : after["variants"]) forEachDevice(variant, rename);
  }
  Json list = Json::array();
  for (const DeviceId& device : others) list.push_back(device.value);
  after["devices"] = std::move(list);
  return after;
}

DeviceId nextCpuWorker(const std::vector<plan::DeviceSpec>& devices) {
  return firstFree(devices, plan::onHost(hostOfAll(devices), {"cpu:"}).value);
}

DeviceId nextImagined(const std::vector<plan::DeviceSpec>& devices) {
  return firstFree(devices, "sim:");
}

QString deviceText(const plan::DeviceSpec& device) {
  if (!device.like) return deviceKindText(device.id);
  return QObject::tr("imagined, %1× %2")
      .arg(preciseText(device.speed, 4), qstring(device.like->value));
}

}  // namespace stagelane::ui
