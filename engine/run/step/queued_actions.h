#pragma once

/// Actions that a row has queued and its device has not ended: what a GPU still has to do. The
/// row's thread adds them; the executor's thread asks for their end markers, so that queueing costs
/// no more than the push. Rows of CPU workers, whose actions end when they return, add none.

#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "engine/run/step/stall.h"

namespace stagelane::run {

class QueuedActions {
 public:
  /// `action` outlives this object; `step` counts the row's steps. @thread the row's worker
  void add(const schedule::LoweredAction& action, std::int64_t step, std::shared_ptr<Marker> end);

  /// What happened between two calls of poll().
  struct Ended {
    std::size_t count = 0;
    TimeNs longestNs = 0;  ///< that an action took since it was the oldest, as far as was seen
  };
  /// Forgets the actions that the device has ended. May throw the device's error; `oldest()` is
  /// then the action that it is about. @thread one at a time, blocks for the driver's queries only
  [[nodiscard]] Ended poll();
  /// The oldest action that the device has not ended. @thread any
  [[nodiscard]] std::optional<RowActivity> oldest() const;
  /// @thread any
  [[nodiscard]] bool empty() const;
  void clear();

 private:
  struct Entry {
    const schedule::LoweredAction* action = nullptr;
    std::int64_t step = 0;
    std::int64_t number = 0;
    std::shared_ptr<Marker> end;
    TimeNs queuedNs = 0;
  };
  [[nodiscard]] std::vector<Entry> first(std::size_t count) const;
  /// Removes the first entries that are in `ended`, at the time `nowNs`.
  void remove(const std::vector<Entry>& ended, TimeNs nowNs, Ended& result);

  mutable std::mutex m_mutex;  ///< guards all members
  std::deque<Entry> m_entries;
  std::int64_t m_next = 0;
  TimeNs m_oldestSinceNs = 0;  ///< when the entry before the first one was removed
};

}  // namespace stagelane::run
