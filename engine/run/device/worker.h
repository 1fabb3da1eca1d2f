#pragma once

/// A persistent thread that owns one device. Work is submitted as functions; exceptions become an
/// Error, and every wait checks the stop token, so that no failure hangs.

#include <functional>
#include <future>
#include <memory>
#include <string>

#include "engine/base/result.h"
#include "engine/run/device/backend.h"

namespace stagelane::run {

/// Converts exceptions of `body` (c10::OutOfMemoryError, c10::Error, std::exception) into an Error;
/// `what` names device and action for the message.
[[nodiscard]] Status guarded(const std::string& what, const std::function<Status()>& body);

/// The opposite, for code inside such a body: an error becomes an exception with its description.
void throwIfFailed(const Status& status);

class Worker {
 public:
  /// Starts the thread and enters it (Backend::enterThread).
  Worker(std::string name, std::unique_ptr<Backend> backend);
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  [[nodiscard]] Backend& backend();
  [[nodiscard]] const std::string& name() const;
  /// Queues a job; the future receives its result. @thread any
  [[nodiscard]] std::future<Status> submit(std::function<Status()> job);

  /// Abandons the thread because it does not return from its job: nothing waits for it any more,
  /// the device is never released, and the process should end soon. @thread any
  void abandon();
  [[nodiscard]] bool abandoned() const { return m_abandoned; }

 private:
  struct Impl;
  std::shared_ptr<Impl> m_impl;  ///< shared with the thread
  bool m_abandoned = false;
};

}  // namespace stagelane::run
