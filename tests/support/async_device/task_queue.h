#pragma once

/// A stream: a thread that performs tasks in the order in which they were queued. It lives until
/// the process ends, as LibTorch keeps streams forever.

#include <c10/core/Stream.h>

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <string>

namespace stagelane::async_device {

/// Only compute tasks are counted by faults (stallComputeTask).
enum class TaskKind { Compute, Copy, Control };

struct Task {
  std::string name;
  TaskKind kind = TaskKind::Control;
  std::function<void()> body;
};

class TaskQueue {
 public:
  /// What happens around each task, in the stream's thread.
  struct Hooks {
    std::function<void(const TaskQueue&, const Task&, std::uint64_t number)> before;
    std::function<void(const TaskQueue&, const Task&, const std::string& error)> failed;
  };

  /// `number` is the stream's place in vector clocks. Starts the thread.
  TaskQueue(std::size_t number, const c10::Stream& stream, Hooks hooks);
  TaskQueue(const TaskQueue&) = delete;
  TaskQueue& operator=(const TaskQueue&) = delete;

  [[nodiscard]] std::size_t number() const { return m_number; }
  [[nodiscard]] const c10::Stream& stream() const { return m_stream; }
  [[nodiscard]] int device() const { return m_stream.device_index(); }

  void push(Task task);
  /// Number of tasks queued so far.
  [[nodiscard]] std::uint64_t queued() const;
  /// Whether the first `tasks` tasks have ended.
  [[nodiscard]] bool ended(std::uint64_t tasks) const;
  /// Blocks until the first `tasks` tasks have ended.
  void wait(std::uint64_t tasks) const;

 private:
  void work();
  Task take();

  const std::size_t m_number;
  const c10::Stream m_stream;
  const Hooks m_hooks;
  mutable std::mutex m_mutex;  ///< guards the members below
  mutable std::condition_variable m_changed;
  std::deque<Task> m_tasks;
  std::uint64_t m_queued = 0;
  std::uint64_t m_ended = 0;
};

}  // namespace stagelane::async_device
