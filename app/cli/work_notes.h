#pragma once

/// Progress on standard error of work that keeps the command's own thread busy, such as a report or
/// a search. Work of the engine reports by events instead (run_progress.h).

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "app/engine_client/run_progress.h"

namespace stagelane::app {

/// Decides when progress is printed: not in the first second, then on a terminal twice a second, in
/// one rewritten line, elsewhere as a line every few seconds.
class NoteTimes {
 public:
  explicit NoteTimes(ProgressStyle style) : m_style(style) {}

  /// The text to print for @p line, "reading run 1 of 2", at @p seconds since the start, with
  /// control characters; may be "".
  [[nodiscard]] std::string textAt(double seconds, const std::string& line);
  /// The text that clears the rewritten line.
  [[nodiscard]] std::string end() const;

 private:
  ProgressStyle m_style;
  double m_nextS = 1.0;
  bool m_shown = false;
};

/// Prints the progress of this thread's work from a thread of its own, until it is destroyed.
class WorkNotes {
 public:
  /// @param line what is being done; called in the other thread
  explicit WorkNotes(std::function<std::string()> line);
  WorkNotes(const WorkNotes&) = delete;
  WorkNotes& operator=(const WorkNotes&) = delete;
  ~WorkNotes();

 private:
  void run();

  std::function<std::string()> m_line;
  std::mutex m_mutex;  // guards m_ended
  std::condition_variable m_wake;
  bool m_ended = false;
  std::thread m_thread;
};

}  // namespace stagelane::app
