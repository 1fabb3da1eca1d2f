#pragma once

/// TCP addresses of this host and others: where to listen, and whether another process listens.

#include <string>

#include "engine/base/ids.h"
#include "engine/base/result.h"
#include "engine/run/device/backend.h"

namespace stagelane::run {

struct ListeningSocket {
  int descriptor = -1;  ///< closed by whoever takes it over; not passed on to other programs
  int port = 0;
};

/// Listens on one address of this host, and on no other. Port 0 takes a free one.
/// @errors Invalid: no address of this host, or the port is in use (names it)
/// @thread any; blocks while a host name is resolved
[[nodiscard]] Result<ListeningSocket> listenOn(const std::string& address, int port);

/// Connects once to see that somebody listens there, trying again until `limitNs` is over.
/// @returns the IP address of this host from which the connection went out
/// @errors EngineFailure: not reached in time, or stopped
/// @thread any; blocks
[[nodiscard]] Result<std::string> reach(const std::string& address, int port, TimeNs limitNs,
                                        const StopCheck& stopped);

}  // namespace stagelane::run
