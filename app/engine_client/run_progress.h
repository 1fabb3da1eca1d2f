#pragma once

/// Turns the engine's events into progress on standard error: one rewritten line on a terminal,
/// plain lines elsewhere (a log file, CI).

#include <map>
#include <string>

#include "app/engine_client/remote/connection.h"
#include "engine/base/json.h"

namespace stagelane::app {

enum class ProgressStyle { Terminal, Lines };

class RunProgress {
 public:
  explicit RunProgress(ProgressStyle style) : m_style(style) {}

  /// The text to print for an event, with control characters; may be "".
  [[nodiscard]] std::string textFor(const Json& event);
  /// The same for the connection to the host of a run.
  [[nodiscard]] std::string textFor(const Connection& connection);
  /// The text that clears the rewritten line.
  [[nodiscard]] std::string end();

 private:
  [[nodiscard]] std::string update(const std::string& line);
  [[nodiscard]] std::string keep(const std::string& line);
  [[nodiscard]] std::string startedText(const Json& event);
  [[nodiscard]] std::string progressText(const Json& event);
  [[nodiscard]] static std::string calibratingText(const Json& event);
  /// One line per tenth.
  [[nodiscard]] std::string calibratingLine(const Json& event);
  [[nodiscard]] std::string measurementText(const Json& event) const;
  [[nodiscard]] std::string nameOf(const Json& event) const;

  ProgressStyle m_style;
  std::map<std::string, std::string> m_names;  ///< variant id → name
  Link m_link = Link::Starting;                ///< of the last connection
  double m_nextLineAt = 0.0;                   ///< share of the calibration for the next line
  std::string m_line;                          ///< the terminal's current line
};

/// "20 s", "2 min", "1 h 5 min".
[[nodiscard]] std::string timeLeftText(double seconds);

}  // namespace stagelane::app
