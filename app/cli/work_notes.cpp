#include "app/cli/work_notes.h"

#include <unistd.h>

#include <chrono>
#include <utility>

#include "app/terminal/console.h"

namespace stagelane::app {
namespace {

constexpr const char* kClearLine = "\r\033[K";
constexpr double kRewrittenEveryS = 0.5;
constexpr double kLineEveryS = 5.0;

}  // namespace

std::string NoteTimes::textAt(double seconds, const std::string& line) {
  if (seconds < m_nextS) return {};
  const bool rewritten = m_style == ProgressStyle::Terminal;
  m_nextS = seconds + (rewritten ? kRewrittenEveryS : kLineEveryS);
  m_shown = true;
  const std::string text = line + ", " + timeLeftText(seconds);
  return rewritten ? kClearLine + text : text + "\n";
}

std::string NoteTimes::end() const {
  return m_shown && m_style == ProgressStyle::Terminal ? kClearLine : "";
}

WorkNotes::WorkNotes(std::function<std::string()> line)
    : m_line(std::move(line)), m_thread([this] { run(); }) {}

WorkNotes::~WorkNotes() {
  {
    const std::lock_guard lock(m_mutex);
    m_ended = true;
  }
  m_wake.notify_all();
  m_thread.join();
}

void WorkNotes::run() {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::milliseconds kLookEvery{100};
  NoteTimes times(::isatty(STDERR_FILENO) != 0 ? ProgressStyle::Terminal : ProgressStyle::Lines);
  const Clock::time_point start = Clock::now();
  std::unique_lock lock(m_mutex);
  while (!m_wake.wait_for(lock, kLookEvery, [this] { return m_ended; })) {
    const std::chrono::duration<double> elapsed = Clock::now() - start;
    printNote(times.textAt(elapsed.count(), m_line()));
  }
  printNote(times.end());
}

}  // namespace stagelane::app
