#include "app/engine_client/engine_end.h"

#include <csignal>
#include <cstring>

namespace stagelane::app {
namespace {

std::string lastLine(const QByteArray& log) {
  const QByteArray text = log.trimmed();
  return text.mid(text.lastIndexOf('\n') + 1).toStdString();
}

Error errorOf(const EngineExit& exit) {
  if (exit.signal != 0) {
    const char* name = ::sigabbrev_np(exit.signal);
    std::string message = "the engine was killed by signal " + std::to_string(exit.signal) +
                          (name == nullptr ? "" : " (SIG" + std::string(name) + ")");
    if (exit.signal == SIGKILL && !exit.cancelAsked) {
      message += ", by a user or because the machine ran out of memory";
    }
    return {ErrorCode::EngineFailure, message, exit.context, exit.hint, {FailureKind::Killed}};
  }
  if (exit.reported) return *exit.reported;
  const bool known = exit.code >= static_cast<int>(ErrorCode::Usage) &&
                     exit.code <= static_cast<int>(ErrorCode::CannotWrite);
  const std::string said = lastLine(exit.log);
  return {known ? static_cast<ErrorCode>(exit.code) : ErrorCode::EngineFailure,
          "the engine exited with code " + std::to_string(exit.code) +
              (said.empty() ? "" : ": " + said),
          exit.context, exit.hint};
}

}  // namespace

EngineEnd engineEnd(const EngineExit& exit) {
  EngineEnd end;
  const bool crashed = exit.signal != 0;
  // Ctrl-C and a closed terminal also reach the engine, possibly before it installs its handler.
  const bool interrupted = exit.signal == SIGINT || exit.signal == SIGTERM || exit.signal == SIGHUP;
  if (exit.code == kExitCanceled || interrupted || (crashed && exit.cancelAsked)) {
    end.exitCode = kExitCanceled;
  } else if (crashed || exit.code != 0) {
    end.error = errorOf(exit);
    end.exitCode = static_cast<int>(end.error->code);
  }
  return end;
}

}  // namespace stagelane::app
