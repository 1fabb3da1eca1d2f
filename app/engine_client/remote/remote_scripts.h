#pragma once

/// What is run on a host: scripts of POSIX sh, with their arguments and exit codes. They need tar,
/// setsid and flock (util-linux) there. A run has a folder of its own, `RUNS/ID`, with
///   in/       what was sent: experiment.json, plan.json, costs.json, schedules
///   run/      the engine's run folder
///   lock      held (flock) as long as any process of the run lives
///   pid       of the leader of their process group
///   stdout, stderr, exit    of the engine
/// Only the lock tells whether a run has ended: a pid can be reused, and a zombie still has one.

#include <string_view>

namespace stagelane::app::scripts {

// Exit codes, next to ssh's own 255.
inline constexpr int kOtherVersion = 65;  ///< prints the version, and the engine
inline constexpr int kFolderGone = 66;
inline constexpr int kNoEngine = 67;  ///< prints where it was looked for
inline constexpr int kNoTool = 68;    ///< prints the missing program
inline constexpr int kStillRuns = 75;

/// ENGINE: prints the path of the engine, its version, and its list of devices.
extern const std::string_view kCheck;

/// ID ENGINE VERSION PART ARGUMENT...: unpacks standard input (tar) into `in` (a new run) or `run`
/// (one to resume) and starts the engine, detached, with these further arguments. Prints "started
/// PID FOLDER". If it has started already, only prints.
extern const std::string_view kStart;

/// FOLDER BYTE: writes events.jsonl from this byte (from 1) on until the run is over, and
/// `kFollowing` to standard error when it begins. Ends early when standard input ends.
extern const std::string_view kFollow;
inline constexpr std::string_view kFollowing = "stagelane: following";

/// FOLDER BYTE: prints "CODE COUNT SIZE" ("none" if there is no exit code; SIZE: bytes of the run
/// folder, about), then COUNT bytes of events.jsonl from this byte on, then the end of what the
/// engine printed.
extern const std::string_view kEnd;

/// FOLDER SIGNAL PID: sends the signal to the run's process group, unless the run has ended.
extern const std::string_view kSignal;

/// FOLDER: writes the run folder as tar.
extern const std::string_view kFetch;

/// FOLDER ID: removes the run.
extern const std::string_view kRemove;

}  // namespace stagelane::app::scripts
