#pragma once

/// Notices that another rank was killed or stopped, or that the store is gone. Each rank writes a
/// counter to the store and watches those of the others by its own clock.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/base/ids.h"
#include "engine/base/result.h"
#include "engine/run/ranks/rank_store.h"

namespace stagelane::run {

struct RankLoss {
  int rank = -1;       ///< −1: the launcher's store
  std::string reason;  ///< "gave no sign for 2.00 s"
};

/// What is known of a rank.
struct RankState {
  std::string text;   ///< what it is doing, see `say`
  TimeNs seenNs = 0;  ///< last sign of life, on this process's clock; 0: none yet
  bool left = false;  ///< it ended in order
};

struct HeartbeatOptions {
  TimeNs intervalNs = 100'000'000;
  TimeNs limitNs = 2'000'000'000;        ///< without a sign, until a rank counts as lost
  TimeNs startLimitNs = 30'000'000'000;  ///< until the first sign of a rank
};

class Heartbeats {
 public:
  /// Calls `lost` at most once, in a thread of this object. It must not block, nor end this object.
  /// @errors EngineFailure (no connection)
  [[nodiscard]] static Result<std::unique_ptr<Heartbeats>> start(
      RankStore& store, const HeartbeatOptions& options, std::function<void(RankLoss)> lost);
  ~Heartbeats();
  Heartbeats(const Heartbeats&) = delete;
  Heartbeats& operator=(const Heartbeats&) = delete;

  /// What this rank is doing, for the other ranks. @thread any; does not block
  void say(std::string state);
  /// By rank. @thread any; does not block
  [[nodiscard]] std::vector<RankState> states() const;
  /// Says goodbye, so that the others do not count this rank as lost, and ends the threads.
  /// @returns false if a thread hangs in the store: the process must then end with `_exit`
  [[nodiscard]] bool end();

 private:
  struct Impl;
  explicit Heartbeats(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> m_impl;
};

}  // namespace stagelane::run
