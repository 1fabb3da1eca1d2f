#include "app/engine_client/remote/hosts.h"

#include <algorithm>
#include <system_error>

#include "engine/base/files.h"
#include "engine/base/find.h"
#include "engine/base/text_member.h"
#include "engine/plan/hosts.h"

namespace stagelane::app {
namespace {

namespace fs = std::filesystem;

fs::path hostsFile(const fs::path& workspace) { return workspace / "hosts.json"; }

Json toJson(const RemoteHost& host) {
  Json json{{"name", host.name}};
  if (!host.engine.empty()) json["engine"] = host.engine;
  if (!host.version.empty()) json["version"] = host.version;
  if (!host.checkedAt.empty()) json["checked_at"] = host.checkedAt;
  if (!host.devices.empty()) json["devices"] = host.devices;
  return json;
}

RemoteHost fromJson(const Json& json) {
  RemoteHost host;
  host.name = textMember(json, "name");
  host.engine = textMember(json, "engine");
  host.version = textMember(json, "version");
  host.checkedAt = textMember(json, "checked_at");
  if (json.contains("devices") && json["devices"].is_array()) host.devices = json["devices"];
  return host;
}

Status writeHosts(const fs::path& workspace, std::vector<RemoteHost> hosts) {
  std::sort(hosts.begin(), hosts.end(),
            [](const RemoteHost& a, const RemoteHost& b) { return a.name < b.name; });
  Json json{{"stagelane_hosts", 1}, {"hosts", Json::array()}};
  for (const RemoteHost& host : hosts) json["hosts"].push_back(toJson(host));
  std::error_code failed;
  fs::create_directories(workspace, failed);
  return writeFileAtomically(hostsFile(workspace), json.dump(1) + "\n");
}

}  // namespace

Result<std::vector<RemoteHost>> readHosts(const fs::path& workspace) {
  std::vector<RemoteHost> hosts;
  std::error_code failed;
  if (!fs::exists(hostsFile(workspace), failed)) return hosts;
  STAGELANE_TRY(json, readJsonFile(hostsFile(workspace).string()));
  if (!json->is_object() || !json->contains("hosts") || !(*json)["hosts"].is_array()) {
    return fail(ErrorCode::Invalid, "the file does not list hosts", hostsFile(workspace).string(),
                "remove the file, and add the hosts again");
  }
  for (const Json& entry : (*json)["hosts"]) {
    if (!entry.is_object()) continue;
    RemoteHost host = fromJson(entry);
    if (plan::checkHostName(host.name)) hosts.push_back(std::move(host));
  }
  return hosts;
}

RemoteHost hostNamed(const fs::path& workspace, const std::string& name) {
  const auto hosts = readHosts(workspace);
  const RemoteHost* known = hosts ? findBy(*hosts, &RemoteHost::name, name) : nullptr;
  if (known != nullptr) return *known;
  RemoteHost host;
  host.name = name;
  return host;
}

Status saveHost(const fs::path& workspace, const RemoteHost& host) {
  STAGELANE_CHECK(plan::checkHostName(host.name));
  STAGELANE_TRY(hosts, readHosts(workspace));
  hosts->erase(std::remove_if(hosts->begin(), hosts->end(),
                              [&](const RemoteHost& known) { return known.name == host.name; }),
               hosts->end());
  hosts->push_back(host);
  return writeHosts(workspace, std::move(*hosts));
}

Status removeHost(const fs::path& workspace, const std::string& name) {
  STAGELANE_TRY(hosts, readHosts(workspace));
  const auto end = std::remove_if(hosts->begin(), hosts->end(),
                                  [&](const RemoteHost& known) { return known.name == name; });
  if (end == hosts->end()) return {};
  hosts->erase(end, hosts->end());
  return writeHosts(workspace, std::move(*hosts));
}

}  // namespace stagelane::app
