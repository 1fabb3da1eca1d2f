#pragma once

/// The state of the connection to the host of a run, for people.

#include <QMetaType>
#include <cstdint>
#include <string>

namespace stagelane::app {

enum class Link {
  Starting,   ///< the engine is being started there
  Connected,  ///< its events arrive
  Lost,       ///< the connection was lost; tried again in `nextTryMs`
  Trying,     ///< connecting again
  Fetching,   ///< the engine has ended; its folder is being copied
};

struct Connection {
  std::string host;  ///< "" for a run on this machine
  Link link = Link::Starting;
  std::string reason;             ///< Lost: why, one sentence
  int attempts = 0;               ///< tries since the connection was lost
  int nextTryMs = 0;              ///< Lost: until the next try
  std::int64_t fetchedBytes = 0;  ///< Fetching: of the run folder
  std::int64_t totalBytes = 0;    ///< Fetching: about so many; 0: unknown
};

}  // namespace stagelane::app

Q_DECLARE_METATYPE(stagelane::app::Connection)
