#pragma once

/// The progress of a run on standard error: one line that is rewritten on a terminal, plain lines
/// elsewhere (a log file, CI). Fed with the engine's events.

#include <map>
#include <string>

#include "engine/base/json.h"

namespace stagelane::app {

enum class ProgressStyle { Terminal, Lines };

class RunProgress {
 public:
  explicit RunProgress(ProgressStyle style) : m_style(style) {}

  /// What to print for an event; "" for nothing. Control characters included.
  [[nodiscard]] std::string textFor(const Json& event);
  /// Clears the line that is being rewritten.
  [[nodiscard]] std::string end();

 private:
  [[nodiscard]] std::string update(const std::string& line);
  [[nodiscard]] std::string keep(const std::string& line);
  [[nodiscard]] std::string startedText(const Json& event);
  [[nodiscard]] std::string progressText(const Json& event);
  [[nodiscard]] static std::string calibratingText(const Json& event);
  /// One for each tenth that is done.
  [[nodiscard]] std::string calibratingLine(const Json& event);
  [[nodiscard]] std::string measurementText(const Json& event) const;
  [[nodiscard]] std::string nameOf(const Json& event) const;

  ProgressStyle m_style;
  std::map<std::string, std::string> m_names;  ///< variant id → name
  double m_nextLineAt = 0.0;                   ///< share of the calibration that is worth a line
  std::string m_line;                          ///< what the terminal shows now
};

/// "20 s", "2 min", "1 h 5 min".
[[nodiscard]] std::string timeLeftText(double seconds);

}  // namespace stagelane::app
