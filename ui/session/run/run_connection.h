#pragma once

/// The connection to the host of a run, and runs that go on on a host without being followed.

#include <QString>
#include <cstdint>

namespace stagelane::ui {

enum class RunLink {
  None,       ///< the run is on this machine
  Starting,   ///< the engine is being started on the host
  Connected,  ///< its events arrive
  Lost,       ///< the connection was lost, and is tried again later
  Trying,     ///< connecting again
  Fetching,   ///< the run has ended, and its files are being copied
};

struct RunConnection {
  RunLink link = RunLink::None;
  QString host;
  QString reason;                 ///< Lost, Trying: why the connection was lost; a sentence
  int secondsToTry = 0;           ///< Lost: until the next try
  bool wasLost = false;           ///< Trying: not for the first time
  std::int64_t fetchedBytes = 0;  ///< Fetching
  std::int64_t totalBytes = 0;    ///< Fetching; 0: unknown

  /// The run goes on, but cannot be followed at the moment.
  [[nodiscard]] bool isBroken() const {
    return link == RunLink::Lost || (link == RunLink::Trying && wasLost);
  }
  friend bool operator==(const RunConnection&, const RunConnection&) = default;
};

/// A run that continues on a host; nobody follows it.
struct LeftRun {
  QString folder;  ///< the local run folder
  QString host;
  QString name;             ///< of the experiment
  bool isCanceled = false;  ///< it ends when it is taken up
  QString problem;          ///< why this window stopped following it; empty if it was asked to
  friend bool operator==(const LeftRun&, const LeftRun&) = default;
};

}  // namespace stagelane::ui
