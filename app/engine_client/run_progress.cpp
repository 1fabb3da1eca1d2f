#include "app/engine_client/run_progress.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "app/engine_client/event_members.h"
#include "engine/base/visible_text.h"

namespace stagelane::app {
namespace {

constexpr const char* kClearLine = "\r\033[K";
constexpr double kLineEvery = 0.1;  // share of a calibration, if lines are not rewritten

std::string count(double value) { return std::to_string(std::llround(value)); }

}  // namespace

std::string timeLeftText(double seconds) {
  if (!std::isfinite(seconds) || seconds < 0.0) return "unknown";
  if (seconds < 90.0) return count(seconds) + " s";
  const auto minutes = std::llround(seconds / 60.0);
  if (minutes < 60) return std::to_string(minutes) + " min";
  return std::to_string(minutes / 60) + " h " + std::to_string(minutes % 60) + " min";
}

std::string RunProgress::update(const std::string& line) {
  if (m_style == ProgressStyle::Lines) return {};
  m_line = line;
  return kClearLine + line;
}

std::string RunProgress::keep(const std::string& line) {
  if (m_style == ProgressStyle::Lines) return line + "\n";
  return (m_line.empty() ? "" : kClearLine) + line + "\n" + m_line;
}

std::string RunProgress::end() {
  const bool shown = !m_line.empty();
  m_line.clear();
  return shown ? kClearLine : "";
}

std::string RunProgress::nameOf(const Json& event) const {
  const std::string id = textAt(event, "variant");
  const auto found = m_names.find(id);
  return visible(found == m_names.end() ? id : found->second);
}

std::string RunProgress::startedText(const Json& event) {
  if (!event.contains("variants")) {
    return {};  // the event is a calibration's
  }
  std::size_t variants = 0;
  if (const auto list = event.find("variants"); list != event.end() && list->is_array()) {
    for (const Json& variant : *list) {
      if (variant.is_object()) {
        m_names[textAt(variant, "id")] = textAt(variant, "name");
        variants += flagAt(variant, "included", true) ? 1 : 0;
      }
    }
  }
  std::string devices;
  if (const auto list = event.find("devices"); list != event.end() && list->is_array()) {
    for (const Json& device : *list) {
      devices += (devices.empty() ? "" : ", ") +
                 visible(device.is_string() ? device.get<std::string>() : "?");
    }
  }
  return keep(std::to_string(variants) + (variants == 1 ? " variant" : " variants") + " on " +
              devices);
}

std::string RunProgress::progressText(const Json& event) {
  if (textAt(event, "phase") == "gradients") return update(nameOf(event) + ": checking gradients");
  std::string line = nameOf(event) + ": repeat " + count(numberAt(event, "repeat", 0)) + " of " +
                     count(numberAt(event, "of", 0));
  if (const double left = numberAt(event, "eta_s", -1.0); left >= 0.0) {
    line += ", about " + timeLeftText(left) + " left";
  }
  return update(line);
}

std::string RunProgress::calibratingText(const Json& event) {
  const double done = numberAt(event, "done", 0.0);
  const double of = std::max(1.0, numberAt(event, "of", 0.0));
  std::string line = "measuring costs: " + count(100.0 * done / of) + " %";
  // Each counted item takes about the same time, so the time left follows from the average.
  const double seconds = numberAt(event, "t_ns", 0.0) * 1e-9;
  if (done > 0.0 && seconds > 0.0) {
    line += ", about " + timeLeftText(seconds * (of - done) / done) + " left";
  }
  return line;
}

std::string RunProgress::calibratingLine(const Json& event) {
  const double of = std::max(1.0, numberAt(event, "of", 0.0));
  const double share = numberAt(event, "done", 0.0) / of;
  if (share < m_nextLineAt) return {};
  while (m_nextLineAt <= share) m_nextLineAt += kLineEvery;
  return calibratingText(event) + "\n";
}

std::string RunProgress::measurementText(const Json& event) const {
  std::array<char, 64> seconds{};
  std::snprintf(seconds.data(), seconds.size(), "%.4g s", numberAt(event, "seconds", 0.0));
  return nameOf(event) + ": repeat " + count(numberAt(event, "repeat", 0)) + ", " + seconds.data();
}

std::string RunProgress::textFor(const Json& event) {
  const std::string name = textAt(event, "event");
  if (name == "started") return startedText(event);
  if (name == "calibrating") {
    return m_style == ProgressStyle::Lines ? calibratingLine(event)
                                           : update(calibratingText(event));
  }
  if (name == "progress") return progressText(event);
  if (name == "measurement") {
    const std::string text = measurementText(event);
    return m_style == ProgressStyle::Lines ? text + "\n" : update(text);
  }
  if (name == "warning") return keep("stagelane: warning: " + visible(textAt(event, "message")));
  return {};
}

std::string RunProgress::textFor(const Connection& connection) {
  const bool wasLost = m_link == Link::Lost || m_link == Link::Trying;
  const bool isNew = m_link != connection.link;
  m_link = connection.link;
  const std::string host = visible(connection.host);
  switch (connection.link) {
    case Link::Starting: return keep("stagelane: starting the engine on " + host);
    case Link::Connected: return wasLost ? keep("stagelane: following the run on " + host) : "";
    case Link::Lost:
      // Further tries fail for the same reason.
      return connection.attempts == 1 ? keep("stagelane: " + visible(connection.reason) +
                                             ". The run goes on there; connecting again")
                                      : "";
    case Link::Trying: return "";
    case Link::Fetching: return isNew ? keep("stagelane: copying the run from " + host) : "";
  }
  return "";
}

}  // namespace stagelane::app
