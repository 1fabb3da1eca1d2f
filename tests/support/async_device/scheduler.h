#pragma once

/// Queues tasks on the streams of all devices and keeps what is ordered before what. Queueing and
/// clocks change under one lock, so that the order of a queue is the order of the clocks.

#include <c10/core/Stream.h>

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "tests/support/async_device/block.h"
#include "tests/support/async_device/race_detector.h"
#include "tests/support/async_device/recording.h"
#include "tests/support/async_device/task_queue.h"
#include "tests/support/async_device/vector_clock.h"

namespace stagelane::async_device {

class Scheduler {
 public:
  /// Proof that the caller holds the lock.
  using Lock = std::unique_lock<std::mutex>;
  [[nodiscard]] Lock lock() { return Lock(m_mutex); }

  /// The stream's queue; starts its thread at the first call.
  TaskQueue& queueOf(const Lock& lock, const c10::Stream& stream);
  /// Those that have been used. A negative device: of all devices.
  [[nodiscard]] std::vector<TaskQueue*> queuesOf(const Lock& lock, int device) const;

  /// Queues a task and checks its accesses. Returns its number in the stream.
  std::uint64_t push(const Lock& lock, const c10::Stream& stream, Task task,
                     const std::vector<Access>& accesses = {});
  /// Records the stream's current point.
  [[nodiscard]] std::shared_ptr<Recording> record(const Lock& lock, const c10::Stream& stream);
  /// What is queued on `stream` from now on begins after the recording is reached.
  void block(const Lock& lock, const c10::Stream& stream,
             const std::shared_ptr<Recording>& recording);

  /// What is done once everything that is queued on the stream now has ended.
  [[nodiscard]] VectorClock clockOf(const Lock& lock, const c10::Stream& stream);
  /// The calling thread has waited for that.
  void hostWaited(const VectorClock& clock);
  /// A CPU operator of the calling thread begins to use memory; checks it if it is pinned.
  void hostUses(const std::string& name, const Access& access);

  [[nodiscard]] BlockTable& blocks(const Lock& /*lock*/) { return m_blocks; }
  [[nodiscard]] RaceDetector& races(const Lock& /*lock*/) { return m_races; }
  [[nodiscard]] const VectorClock& hostClock(const Lock& /*lock*/) const { return m_host; }
  [[nodiscard]] std::uint64_t tasks(const Lock& /*lock*/) const { return m_tasks; }

  /// Each task begins up to that late.
  void setDelays(int maxMicroseconds, std::uint64_t seed);

 private:
  struct Stream {
    std::unique_ptr<TaskQueue> queue;
    VectorClock clock;
  };

  Stream& streamOf(const c10::Stream& stream);
  void before(const TaskQueue& queue, const Task& task, std::uint64_t number) const;

  mutable std::mutex m_mutex;  ///< guards all but the atomics
  std::map<std::pair<int, c10::StreamId>, Stream> m_streams;
  VectorClock m_host;  ///< what some host thread has waited for
  BlockTable m_blocks;
  RaceDetector m_races;
  std::uint64_t m_tasks = 0;
  std::atomic<int> m_maxDelay{0};
  std::atomic<std::uint64_t> m_seed{1};
};

/// The one of the process, which lives until it ends: threads of streams use it.
[[nodiscard]] Scheduler& scheduler();

}  // namespace stagelane::async_device
