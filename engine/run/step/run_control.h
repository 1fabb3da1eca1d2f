#pragma once

/// What all waits of a run have in common: the outside stop flag, the first failure, and how long
/// nothing may happen. Whoever waits polls it, so that no failure and no cancel leaves a thread
/// behind. Knows nothing of devices or tensors.

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>

#include "engine/base/ids.h"
#include "engine/base/result.h"

namespace stagelane::run {

class RunControl {
 public:
  /// `stop` is set by a signal handler (may be null). `stallTimeoutNs` is what the experiment says;
  /// without it a wait may last `kDefaultStallNs`, or ten times the longest action if that is more.
  explicit RunControl(const std::atomic<bool>* stop, std::optional<TimeNs> stallTimeoutNs = {});

  static constexpr TimeNs kDefaultStallNs = 30'000'000'000;

  /// For a part of the run that may fail by itself: the same stop flag and stall limit, no error.
  [[nodiscard]] std::unique_ptr<RunControl> forAnotherPart() const;

  /// The person asked to stop. @thread any
  [[nodiscard]] bool canceled() const;
  /// An action failed. @thread any
  [[nodiscard]] bool failed() const { return m_failed.load(std::memory_order_acquire); }
  [[nodiscard]] bool stopped() const { return failed() || canceled(); }

  /// Keeps the first error; later ones follow from it and are dropped. @thread any
  void fail(Error error);
  [[nodiscard]] std::optional<Error> error() const;
  /// What failed has ended, and others go on. @pre no row plays
  void recover();

  /// An action has ended after `durationNs`: progress, and a measure for what is a stall.
  /// @thread any
  void actionDone(TimeNs durationNs);
  /// An action is expected to take this long (a prediction). @thread any
  void expectAction(TimeNs durationNs);
  /// A step begins: what was waited for before does not count. @thread any
  void stepBegins();

  [[nodiscard]] TimeNs longestActionNs() const { return m_longestNs.load(); }
  /// Longest time in which no action ends while a row waits.
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
