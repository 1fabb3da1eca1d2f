#pragma once

/// Action recording while a step runs: each worker thread appends to its own buffer without locks;
/// buffers are merged after the step. The recorder never allocates inside a step once `reserve`d.

#include <cstdint>
#include <vector>

#include "engine/base/action_kind.h"
#include "engine/base/ids.h"

namespace stagelane::trace {

/// Monotonic nanoseconds (CLOCK_MONOTONIC), the one clock of both programs.
[[nodiscard]] TimeNs monotonicNs();

/// Which device of the run the calling thread works for (-1: none), so that what is captured on the
/// thread can be put on that device. A worker says it once, when it starts.
void setThreadDevice(std::int32_t device);
[[nodiscard]] std::int32_t threadDevice();

/// Hears on each worker's thread when an action begins and ends, so that what the thread launches
/// in between can be told to be the action's. @thread called by any worker, so without state or
/// locked
class ActionObserver {
 public:
  virtual ~ActionObserver() = default;
  virtual void actionBegins(std::int32_t device, StageId stage, MicroBatchId microBatch) const = 0;
  virtual void actionEnds() const = 0;
};
/// Nobody observes with null. @pre the observer lives until the process ends, since an action that
/// has begun will end with it
void observeActions(const ActionObserver* observer);
[[nodiscard]] const ActionObserver* actionObserver();

/// An action of the calling thread's device, from here to the end of the scope. Costs one load of a
/// pointer while nobody observes.
class ActionScope {
 public:
  ActionScope(StageId stage, MicroBatchId microBatch) : m_observer(actionObserver()) {
    if (m_observer != nullptr) m_observer->actionBegins(threadDevice(), stage, microBatch);
  }
  ActionScope(const ActionScope&) = delete;
  ActionScope& operator=(const ActionScope&) = delete;
  ~ActionScope() {
    if (m_observer != nullptr) m_observer->actionEnds();
  }

 private:
  const ActionObserver* m_observer;
};

/// One action as a worker saw it. `device` and `peer` are device indices of the run.
struct ActionRecord {
  TimeNs startNs = 0;
  TimeNs endNs = 0;
  Bytes bytes = 0;
  Bytes liveBytes = -1;  ///< what the device's allocations held at the end; -1: not known
  std::int32_t stage = -1;
  std::int32_t microBatch = -1;
  std::int32_t repeat = 0;
  std::int32_t step = 0;
  std::int16_t device = -1;
  std::int16_t peer = -1;
  ActionKind kind = ActionKind::Forward;
};

/// The buffer of one worker. @thread only its worker while recording, anyone afterwards
class ActionBuffer {
 public:
  void reserve(std::size_t count) { m_records.reserve(count); }
  void add(const ActionRecord& record) { m_records.push_back(record); }
  [[nodiscard]] const std::vector<ActionRecord>& records() const { return m_records; }
  void clear() { m_records.clear(); }

 private:
  std::vector<ActionRecord> m_records;
};

}  // namespace stagelane::trace
