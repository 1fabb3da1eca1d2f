#include "engine/plan/hosts.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <optional>
#include <vector>

#include "engine/plan/experiment.h"
#include "engine/plan/imagined.h"

namespace stagelane::plan {
namespace {

constexpr std::array<std::string_view, 3> kKinds = {"cpu:", "cuda:", "sim:"};

bool beginsWithKind(std::string_view text) {
  return std::any_of(kKinds.begin(), kKinds.end(),
                     [text](std::string_view kind) { return text.substr(0, kind.size()) == kind; });
}

/// The length of the host in the name; 0 if there is none. A partition has a `/` as well.
std::size_t hostLength(std::string_view name) {
  const std::size_t slash = name.find('/');
  if (slash == std::string_view::npos || beginsWithKind(name)) return 0;
  return beginsWithKind(name.substr(slash + 1)) ? slash : 0;
}

std::string described(const std::string& host) {
  return host.empty() ? "this machine" : "\"" + host + "\"";
}

/// A device of the document, and the place of its name.
struct Named {
  DeviceId id;
  std::string place;
};

Result<std::string> commonHost(const std::vector<Named>& devices) {
  std::optional<std::string> host;
  for (const Named& device : devices) {
    const std::string own = hostOf(device.id);
    if (!host) host = own;
    if (*host == own) continue;
    return fail(ErrorCode::Invalid,
                "\"" + device.id.value + "\" is on " + described(own) +
                    ", and the devices before it are on " + described(*host) +
                    "; all devices of a run must be on one host",
                device.place,
                "List devices of one host, or start a process on each host with torchrun "
                "(docs/guide/ranks.md)");
  }
  return host.value_or("");
}

/// The id of an entry of "devices"; empty for `{"auto": 2}` and for what is not valid.
DeviceId idOf(const Json& entry) {
  if (entry.is_string()) return {entry.get<std::string>()};
  if (!entry.is_object() || !entry.contains("id") || !entry["id"].is_string()) return {};
  return {entry["id"].get<std::string>()};
}

}  // namespace

std::string hostOf(const DeviceId& device) {
  return device.value.substr(0, hostLength(device.value));
}

DeviceId withoutHost(const DeviceId& device) {
  const std::size_t length = hostLength(device.value);
  return length == 0 ? device : DeviceId{device.value.substr(length + 1)};
}

DeviceId onHost(const std::string& host, const DeviceId& device) {
  return host.empty() ? device : DeviceId{host + "/" + device.value};
}

bool namesRank(const DeviceId& device) {
  return device.value.find('@', hostLength(device.value)) != std::string::npos;
}

Status checkHostName(std::string_view host) {
  const bool plain = std::all_of(host.begin(), host.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return c != '/' && std::isspace(byte) == 0 && std::iscntrl(byte) == 0;
  });
  if (plain && !host.empty() && host.front() != '-') return {};
  return fail(ErrorCode::Invalid, "\"" + std::string(host) + "\" is not the name of a host", {},
              "Use a host of your ssh configuration, or USER@HOST");
}

Result<std::string> hostOf(const Experiment& experiment) {
  std::vector<Named> devices;
  for (std::size_t i = 0; i < experiment.devices.size(); ++i) {
    const DeviceSpec& device = experiment.devices[i];
    if (!isImagined(device)) devices.push_back({device.id, childPointer("/devices", i)});
  }
  return commonHost(devices);
}

Result<std::string> hostOfDocument(const Json& document) {
  std::vector<Named> devices;
  const auto listed = document.is_object() ? document.find("devices") : document.end();
  if (!document.is_object() || listed == document.end() || !listed->is_array()) return "";
  for (std::size_t i = 0; i < listed->size(); ++i) {
    const Json& entry = (*listed)[i];
    const bool imagined = entry.is_object() && entry.contains("like");
    if (!imagined) devices.push_back({idOf(entry), childPointer("/devices", i)});
  }
  return commonHost(devices);
}

Status requireHost(const Experiment& experiment, const std::string& own) {
  for (std::size_t i = 0; i < experiment.devices.size(); ++i) {
    const DeviceSpec& device = experiment.devices[i];
    const std::string host = hostOf(device.id);
    if (isImagined(device) || host == own) continue;
    return fail(ErrorCode::Invalid,
                host.empty() ? "\"" + device.id.value + "\" is not on the host " + described(own)
                             : "\"" + device.id.value + "\" is on the host " + described(host) +
                                   ", not on this machine",
                childPointer("/devices", i),
                "Use `stagelane run`, which starts the engine on the host, or remove the host "
                "from the name");
  }
  return {};
}

}  // namespace stagelane::plan
