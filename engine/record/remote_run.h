#pragma once

/// A run on another host, as its local run folder remembers it: `remote.json`. While it says that
/// the run is not over, the folder reads as running, whatever its events say, and
/// app/engine_client/remote can take the run up again. Says nothing about how a host is reached.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "engine/base/result.h"

namespace stagelane::record {

struct RemoteRun {
  std::string host;         ///< as in the names of its devices
  std::string id;           ///< of the run on the host
  std::string folder;       ///< on the host, absolute; "" until the engine has started
  std::int64_t pid = 0;     ///< of the leader of its process group there; 0 until it has started
  std::string engine;       ///< path of the engine there
  bool isOver = false;      ///< the engine has ended, and its folder is here
  bool isCanceled = false;  ///< a cancel was asked for
};

/// `FOLDER/remote.json`
[[nodiscard]] std::filesystem::path remoteFile(const std::filesystem::path& folder);
/// What the folder remembers; empty for a run on this machine.
/// @errors Invalid: the file is damaged
[[nodiscard]] Result<std::optional<RemoteRun>> readRemoteRun(const std::filesystem::path& folder);
/// @errors CannotWrite
[[nodiscard]] Status writeRemoteRun(const std::filesystem::path& folder, const RemoteRun& run);
/// Whether the folder is of a run on another host that is not over as far as is known here: another
/// program follows it, or it was left and can be taken up again.
[[nodiscard]] bool isRemoteRunOpen(const std::filesystem::path& folder);

/// Whether a program is following the run of this folder. @thread any, does not block
[[nodiscard]] bool isRemoteRunFollowed(const std::filesystem::path& folder);

}  // namespace stagelane::record
