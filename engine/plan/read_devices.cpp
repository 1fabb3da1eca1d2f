
#include <algorithm>
#include <set>

#include "engine/base/text.h"
#include "engine/plan/experiment_keys.h"
#include "engine/plan/imagined.h"
#include "engine/plan/reading.h"

namespace stagelane::plan::detail {
namespace {

/// Imagined devices included. A run has a thread for each real one.
constexpr std::int64_t kMostDevices = 4096;
constexpr std::ptrdiff_t kMostRealDevices = 64;

std::vector<DeviceSpec> automaticDevices(std::int64_t count, const MachineDevices& machine) {
  const std::string kind = machine.gpus >= count ? "cuda:" : "cpu:";
  std::vector<DeviceSpec> devices;
  for (std::int64_t i = 0; i < count; ++i) {
    devices.push_back({DeviceId{kind + std::to_string(i)}, {}, {}, 1.0});
  }
  return devices;
}

Result<std::vector<DeviceSpec>> readAutomatic(const Json& item, const std::string& place,
                                              const MachineDevices& machine) {
  ObjectReader reader(item, place);
  const std::int64_t count = integerWithin(reader, "auto", {1, kMostRealDevices}, {});
  STAGELANE_CHECK(reader.finish());
  return automaticDevices(count, machine);
}

Status checkAvailable(const DeviceId& id, const std::string& place) {
  const auto parsed = parseDevice(id);
  if (!parsed) {
    Error error = parsed.error();
    error.context = place;
    return tl::make_unexpected(std::move(error));
  }
  if (parsed->kind == DeviceKind::Imagined) {
    return fail(ErrorCode::Invalid, "\"" + id.value + "\" needs the real device that it resembles",
                place, "Use {\"id\": \"" + id.value + "\", \"like\": \"cpu:0\", \"speed\": 2.0}");
  }
  return {};
}

/// Reads `like` and `speed`, which only an imagined device has.
Status readImagined(ObjectReader& reader, const std::string& place, DeviceSpec& spec) {
  const auto parsed = parseDevice(spec.id);
  const bool imagined = parsed && parsed->kind == DeviceKind::Imagined;
  for (const char* key : {"like", "speed"}) {
    if (parsed && !imagined && reader.has(key)) {
      return fail(ErrorCode::Invalid,
                  "\"" + spec.id.value + "\" is a real device, so it has no \"like\" or \"speed\"",
                  childPointer(place, key),
                  "Remove the key, or use an imagined device \"sim:0\", \"sim:1\", …");
    }
  }
  if (!imagined) return checkAvailable(spec.id, childPointer(place, "id"));
  if (!reader.has("like")) return checkAvailable(spec.id, place);
  const DeviceId like{reader.text("like")};
  const std::string at = childPointer(place, "like");
  const auto known = parseDevice(like);
  if (!known || known->kind == DeviceKind::Imagined) {
    return fail(ErrorCode::Invalid, "\"" + like.value + "\" is not a real device", at,
                "Use a real device such as \"cpu:0\" or \"cuda:0\"");
  }
  STAGELANE_CHECK(checkAvailable(like, at));
  spec.like = like;
  spec.speed = numberWithin(reader, "speed", kMostSpeed, 1.0);
  if (spec.speed < 1.0 / kMostSpeed) {
    reader.problem("speed", "must be above 0", "Use 2.0 for twice as fast");
  }
  return {};
}

/// `count` imagined devices that differ in their number only.
Result<std::vector<DeviceSpec>> alike(const DeviceSpec& first, std::int64_t count,
                                      const std::string& place) {
  if (count == 1) return std::vector<DeviceSpec>{first};
  const auto parsed = parseDevice(first.id);
  if (!parsed || parsed->kind != DeviceKind::Imagined) {
    return fail(ErrorCode::Invalid, "only imagined devices have \"count\"",
                childPointer(place, "count"), "List the devices, or use {\"auto\": 2}");
  }
  if (parsed->index + count > kMostDevices) {
    return fail(ErrorCode::Invalid,
                "the last device would be sim:" + std::to_string(parsed->index + count - 1),
                childPointer(place, "count"),
                "Device numbers go up to " + std::to_string(kMostDevices - 1));
  }
  std::vector<DeviceSpec> devices(static_cast<std::size_t>(count), first);
  for (std::size_t i = 0; i < devices.size(); ++i) {
    devices[i].id.value = "sim:" + std::to_string(static_cast<std::size_t>(parsed->index) + i);
  }
  return devices;
}

Result<DeviceSpec> readSpec(const Json& item, const std::string& place, std::int64_t& count) {
  STAGELANE_CHECK(checkKeys(item, KeysOf::Device, place));
  ObjectReader reader(item, place);
  DeviceSpec spec;
  spec.id.value = reader.text("id");
  for (const std::string& key : knownKeys(KeysOf::Device)) (void)reader.has(key);
  if (const Json* memory = reader.raw("max_memory")) {
    Result<Bytes> bytes = fail(ErrorCode::Invalid, "max_memory must be above 0 bytes", {},
                               "Use \"8GiB\" or a number of bytes");
    if (memory->is_string()) {
      bytes = parseBytes(memory->get<std::string>());
    } else if (memory->is_number_integer()) {
      bytes = memory->get<Bytes>();
    }
    if (!bytes) reader.problem("max_memory", bytes.error().message, bytes.error().hint);
    spec.maxMemory = bytes.value_or(0);
    if (*spec.maxMemory <= 0) reader.problem("max_memory", "must be above 0 bytes", "Use \"8GiB\"");
  }
  if (item.contains("auto"))
    reader.problem("auto", "\"auto\" cannot be combined with other keys", "Remove the others");
  count = integerWithin(reader, "count", {1, kMostDevices}, 1);
  const Status suits = readImagined(reader, place, spec);
  STAGELANE_CHECK(reader.finish());
  STAGELANE_CHECK(suits);
  return spec;
}

Result<std::vector<DeviceSpec>> readItem(const Json& item, const std::string& place,
                                         const MachineDevices& machine) {
  if (item.is_object() && item.contains("auto") && item.size() == 1) {
    return readAutomatic(item, place, machine);
  }
  if (item.is_string()) {
    DeviceSpec spec{DeviceId{item.get<std::string>()}, {}, {}, 1.0};
    STAGELANE_CHECK(checkAvailable(spec.id, place));
    return std::vector<DeviceSpec>{spec};
  }
  std::int64_t count = 1;
  STAGELANE_TRY(spec, readSpec(item, place, count));
  return alike(*spec, count, place);
}

Json toJson(const std::vector<DeviceSpec>& devices) {
  Json answer = Json::array();
  for (const DeviceSpec& device : devices) {
    Json item{{"id", device.id.value}};
    if (device.like) {
      item["like"] = device.like->value;
      item["speed"] = device.speed;
    }
    if (device.maxMemory) item["max_memory"] = *device.maxMemory;
    answer.push_back(item.size() > 1 ? item : item["id"]);
  }
  return answer;
}

/// Replaces `#N` with the name of the N-th device.
Status resolveReference(Json& value, const std::vector<DeviceSpec>& devices,
                        const std::string& place) {
  if (!value.is_string()) return {};
  const std::string text = value.get<std::string>();
  if (text.empty() || text.front() != '#') return {};
  const std::string digits = text.substr(1);
  const bool number = !digits.empty() && digits.size() <= 4 &&
                      digits.find_first_not_of("0123456789") == std::string::npos;
  const std::size_t index = number ? std::stoul(digits) : devices.size();
  if (index >= devices.size()) {
    return fail(ErrorCode::Invalid,
                "\"" + text + "\" is not a listed device; the number of devices is " +
                    std::to_string(devices.size()),
                place, "Use \"#0\" for the first of \"devices\"");
  }
  value = devices[index].id.value;
  return {};
}

Status resolveReferences(Json& variant, const std::vector<DeviceSpec>& devices,
                         const std::string& place) {
  if (!variant.is_object()) return {};
  if (variant.contains("device")) {
    const auto status = resolveReference(variant["device"], devices, childPointer(place, "device"));
    if (!status) return status;
  }
  if (variant.contains("placement") && variant["placement"].is_object()) {
    for (auto& member : variant["placement"].items()) {
      const std::string at = childPointer(childPointer(place, "placement"), member.key());
      STAGELANE_CHECK(resolveReference(member.value(), devices, at));
    }
  }
  if (variant.contains("stages") && variant["stages"].is_array()) {
    Json& stages = variant["stages"];
    for (std::size_t i = 0; i < stages.size(); ++i) {
      if (!stages[i].is_object() || !stages[i].contains("device")) continue;
      const std::string at = childPointer(childPointer(childPointer(place, "stages"), i), "device");
      STAGELANE_CHECK(resolveReference(stages[i]["device"], devices, at));
    }
  }
  return {};
}

/// A run uses a GPU whole or with one division, because it divides the multiprocessors once.
Status checkDivision(const DeviceSpec& device, const std::vector<DeviceSpec>& others,
                     const std::string& place) {
  const auto parsed = parseDevice(device.id);
  const bool isGpu =
      parsed && (parsed->kind == DeviceKind::Gpu || parsed->kind == DeviceKind::GpuPartition);
  if (!isGpu) return {};
  for (const DeviceSpec& other : others) {
    const auto known = parseDevice(other.id);
    const bool sameGpu =
        known && (known->kind == DeviceKind::Gpu || known->kind == DeviceKind::GpuPartition) &&
        known->index == parsed->index;
    if (sameGpu && known->partitions != parsed->partitions) {
      return fail(ErrorCode::Invalid,
                  "\"" + device.id.value + "\" and \"" + other.id.value +
                      "\" divide the same GPU differently",
                  place, "List the whole GPU, or parts of one division: cuda:0/1of2, cuda:0/2of2");
    }
  }
  return {};
}

}  // namespace

Status readDevices(Experiment& experiment, const MachineDevices& machine) {
  Json& source = experiment.source;
  if (!source.contains("devices")) {
    return fail(ErrorCode::Invalid, "\"devices\" is missing", "/devices",
                "Use \"devices\": [\"cpu:0\", \"cpu:1\"] or {\"auto\": 2}");
  }
  const bool single = source["devices"].is_object();
  const Json items = single ? Json::array({source["devices"]}) : source["devices"];
  if (!items.is_array() || items.empty()) {
    return fail(ErrorCode::Invalid, "devices must list at least one device", "/devices",
                "Use [\"cpu:0\", \"cpu:1\"] or {\"auto\": 2}");
  }
  std::vector<DeviceSpec>& devices = experiment.devices;
  std::set<std::string> names;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const std::string place = single ? "/devices" : childPointer("/devices", i);
    STAGELANE_TRY(found, readItem(items[i], place, machine));
    for (DeviceSpec& device : *found) {
      if (!names.insert(device.id.value).second) {
        return fail(ErrorCode::Invalid, "the device \"" + device.id.value + "\" is listed twice",
                    place, "List each device once");
      }
      STAGELANE_CHECK(checkDivision(device, devices, place));
      devices.push_back(std::move(device));
    }
  }
  if (static_cast<std::int64_t>(devices.size()) > kMostDevices) {
    return fail(ErrorCode::Invalid,
                "more than " + std::to_string(kMostDevices) + " devices are listed", "/devices");
  }
  const auto real = std::count_if(devices.begin(), devices.end(), [](const DeviceSpec& device) {
    return !device.like.has_value();
  });
  if (real > kMostRealDevices) {
    return fail(ErrorCode::Invalid, "more than 64 real devices are listed", "/devices",
                "Use imagined devices for a larger machine");
  }
  source["devices"] = toJson(devices);
  if (!source.contains("variants") || !source["variants"].is_array()) return {};
  for (std::size_t i = 0; i < source["variants"].size(); ++i) {
    const auto status =
        resolveReferences(source["variants"][i], devices, childPointer("/variants", i));
    if (!status) return status;
  }
  return {};
}

}  // namespace stagelane::plan::detail
