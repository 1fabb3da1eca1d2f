#pragma once

/// A thread for calls that may never return, such as those to a store whose process is stopped. The
/// caller waits for a limited time; after that the thread is left behind and nothing joins it.

#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "engine/base/ids.h"
#include "engine/base/result.h"
#include "engine/run/device/backend.h"

namespace stagelane::run {

class Talker {
 public:
  /// `name` is the thread's, at most 15 characters.
  explicit Talker(const std::string& name);
  /// Waits for the thread, unless it is stuck.
  ~Talker();
  Talker(const Talker&) = delete;
  Talker& operator=(const Talker&) = delete;

  /// Runs `body` in the thread after all earlier calls, and waits for at most `limitNs` (and no
  /// longer than `stopped` allows). `body` must own what it uses, because it may still run when
  /// this function has returned. `what` is the beginning of error messages.
  /// @errors those of `body`; EngineFailure for exceptions and when the limit is exceeded
  /// @thread any; blocks
  template <class T>
  [[nodiscard]] Result<T> call(const std::string& what, TimeNs limitNs,
                               std::function<Result<T>()> body, const StopCheck& stopped = {}) {
    auto answer = std::make_shared<std::optional<Result<T>>>();
    const Status ended = run(
        what, limitNs,
        [answer, body = std::move(body)]() -> Status {
          answer->emplace(body());
          return {};
        },
        stopped);
    if (!ended) return tl::make_unexpected(ended.error());
    return std::move(**answer);
  }

  /// A call has exceeded its limit. All later calls fail, and the process must end with `_exit`,
  /// because the thread may be anywhere. @thread any
  [[nodiscard]] bool stuck() const;

 private:
  struct Shared;
  Status run(const std::string& what, TimeNs limitNs, std::function<Status()> body,
             const StopCheck& stopped);

  std::shared_ptr<Shared> m_shared;  ///< shared with the thread
};

}  // namespace stagelane::run
