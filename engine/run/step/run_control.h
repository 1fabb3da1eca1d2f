#pragma once

/// Shared state of all waits of a run: the external stop flag, the first failure, and the stall
/// limit. Every wait polls it, so that neither a failure nor a cancel leaves a thread behind.
/// Independent of devices and tensors.

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>

#include "engine/base/ids.h"
#include "engine/base/result.h"

namespace stagelane::run {

class RunControl {
 public:
  /// `stop` is set by a signal handler (may be null). `stallTimeoutNs` is the experiment's setting;
  /// without it a wait may last `kDefaultStallNs`, or ten times the longest action if that is more.
  explicit RunControl(const std::atomic<bool>* stop, std::optional<TimeNs> stallTimeoutNs = {});

  static constexpr TimeNs kDefaultStallNs = 30'000'000'000;

  /// For a part of the run that may fail independently: same stop flag and stall limit, no error.
  [[nodiscard]] std::unique_ptr<RunControl> forAnotherPart() const;

  /// The user requested a stop. @thread any
  [[nodiscard]] bool canceled() const;
  /// An action failed. @thread any
  [[nodiscard]] bool failed() const { return m_failed.load(std::memory_order_acquire); }
  [[nodiscard]] bool stopped() const { return failed() || canceled(); }

  /// Keeps the first error; later ones are consequences and are dropped. @thread any
  void fail(Error error);
  [[nodiscard]] std::optional<Error> error() const;
  /// Clears the error after the failed part has ended, so that others can continue. @pre no row
  /// plays
  void recover();

  /// Records that an action ended after `durationNs`, which also determines the stall limit.
  /// @thread any
  void actionDone(TimeNs durationNs);
  /// Records that a thread took `durationNs` to queue an action, which its device has not ended
  /// yet.
  /// @thread any
  void actionQueued(TimeNs durationNs);
  /// Sets the expected (predicted) duration of an action. @thread any
  void expectAction(TimeNs durationNs);
  /// Starts a step: earlier waits no longer count. @thread any
  void stepBegins();

  [[nodiscard]] TimeNs longestActionNs() const { return m_longestNs.load(); }
  /// Maximum time without a completed action while a row waits.
  [[nodiscard]] TimeNs stallLimitNs() const;
  /// Time since the last action ended or the step began.
  [[nodiscard]] TimeNs quietNs() const;

 private:
  const std::atomic<bool>* m_stop;
  std::optional<TimeNs> m_stallTimeoutNs;
  std::atomic<bool> m_failed{false};
  std::atomic<TimeNs> m_longestNs{0};
  std::atomic<TimeNs> m_expectedNs{0};
  std::atomic<TimeNs> m_progressNs{0};
  mutable std::mutex m_mutex;  ///< guards m_error
  std::optional<Error> m_error;
};

}  // namespace stagelane::run
