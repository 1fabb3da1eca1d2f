#pragma once

/// The hosts that the user has added: `WORKSPACE/hosts.json`. A host that is not listed can be used
/// as well, with the default engine. Reaches no host; host_check.h does.

#include <filesystem>
#include <string>
#include <vector>

#include "engine/base/json.h"
#include "engine/base/result.h"

namespace stagelane::app {

/// A host and what was found there when it was last checked.
struct RemoteHost {
  std::string name;              ///< an ssh target: an alias, or `user@host`
  std::string engine;            ///< path of stagelane-engine there; "" for the default places
  std::string version;           ///< of that engine, as `stagelane-engine version` prints it
  std::string checkedAt;         ///< UTC, ISO 8601; "" if never
  Json devices = Json::array();  ///< as `devices --json` lists them, ids without the host
};

/// Sorted by name; none if the file is missing. @errors Invalid: the file is damaged
[[nodiscard]] Result<std::vector<RemoteHost>> readHosts(const std::filesystem::path& workspace);
/// The listed host, or one with the default engine.
[[nodiscard]] RemoteHost hostNamed(const std::filesystem::path& workspace, const std::string& name);
/// Adds the host, or replaces the one with its name. @errors Invalid (not a name that ssh accepts,
/// or the file is damaged), CannotWrite
[[nodiscard]] Status saveHost(const std::filesystem::path& workspace, const RemoteHost& host);
/// Does nothing if it is not listed. @errors Invalid, CannotWrite
[[nodiscard]] Status removeHost(const std::filesystem::path& workspace, const std::string& name);

}  // namespace stagelane::app
