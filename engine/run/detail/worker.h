#pragma once

/// A persistent thread that owns one device. Work is handed over as functions; the first exception
/// is kept as an Error, and every wait has the stop token, so that no failure hangs.

#include <functional>
#include <future>
#include <memory>
#include <string>

#include "engine/base/result.h"
#include "engine/run/detail/backend.h"

namespace stagelane::run {

/// Turns whatever `body` throws (c10::OutOfMemoryError, c10::Error, std::exception) into an Error;
/// `what` names device and action for the message.
[[nodiscard]] Status guarded(const std::string& what, const std::function<Status()>& body);

class Worker {
 public:
  /// Starts the thread and enters it (Backend::enterThread).
  Worker(std::string name, std::unique_ptr<Backend> backend);
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  [[nodiscard]] Backend& backend() { return *m_backend; }
  [[nodiscard]] const std::string& name() const { return m_name; }
  /// Queues a job; the future has its outcome. @thread any
  [[nodiscard]] std::future<Status> submit(std::function<Status()> job);

 private:
  struct Impl;
  std::string m_name;
  std::unique_ptr<Backend> m_backend;
  std::unique_ptr<Impl> m_impl;
};

}  // namespace stagelane::run
