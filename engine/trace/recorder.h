#pragma once

/// Records actions while a step runs. Each worker thread appends to its own buffer without locks;
/// buffers are merged after the step. After `reserve`, the recorder does not allocate inside a
/// step.

#include <cstdint>
#include <vector>

#include "engine/base/action_kind.h"
#include "engine/base/ids.h"

namespace stagelane::trace {

/// Monotonic nanoseconds (CLOCK_MONOTONIC), the clock of both programs.
[[nodiscard]] TimeNs monotonicNs();

/// Sets the run's device that the calling thread works for (-1: none), to which events captured on
/// the thread are attributed. A worker calls it once at its start.
void setThreadDevice(std::int32_t device);
[[nodiscard]] std::int32_t threadDevice();

/// Notified on each worker's thread when an action begins and ends, so that work launched in
/// between can be attributed to the action. @thread any worker; must be stateless or locked
class ActionObserver {
 public:
  virtual ~ActionObserver() = default;
  virtual void actionBegins(std::int32_t device, StageId stage, MicroBatchId microBatch) const = 0;
  virtual void actionEnds() const = 0;
};
/// Null removes the observer. @pre the observer lives until the process ends, because actions in
/// progress still notify it at their end
void observeActions(const ActionObserver* observer);
[[nodiscard]] const ActionObserver* actionObserver();

/// An action of the calling thread's device, until the end of the scope. Costs one pointer load
/// when there is no observer.
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

/// One action as recorded by a worker. `device` and `peer` are device indices of the run.
struct ActionRecord {
  TimeNs startNs = 0;
  TimeNs endNs = 0;
  Bytes bytes = 0;
  Bytes liveBytes = -1;  ///< the device's allocated bytes at the end; -1: unknown
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
