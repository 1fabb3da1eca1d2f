#pragma once

/// How an engine ended, and what that means.

#include <QByteArray>
#include <optional>
#include <string>

#include "engine/base/result.h"

namespace stagelane::app {

/// The end as the rest of the program sees it.
struct EngineEnd {
  int exitCode = 0;            ///< of engine/base/result.h: 0, 2 … 8, 130
  std::optional<Error> error;  ///< for every code except 0 and 130
  bool isLeft = false;         ///< it continues on another host and can be taken up again
};

/// The end as the operating system reports it.
struct EngineExit {
  int code = 0;
  int signal = 0;  ///< that killed it; 0: it exited with `code`
  bool cancelAsked = false;
  std::optional<Error> reported;  ///< its `error` event
  QByteArray log;                 ///< what else it printed
  std::string context;            ///< context of an error that it did not report
  std::string hint;               ///< hint of such an error
};

[[nodiscard]] EngineEnd engineEnd(const EngineExit& exit);

}  // namespace stagelane::app
