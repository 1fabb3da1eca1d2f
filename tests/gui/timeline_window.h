#pragma once

/// A window that shows a trace in the Timeline, and the visible part of it.

#include <functional>

#include "tests/gui/window_test.h"

namespace stagelane::gui {

class TimelineWindow : public WindowTest {
 protected:
  /// Opens a trace and waits for its first action.
  [[nodiscard]] bool openTrace(const QString& file, const QSize& size) {
    return m_window.open({.file = file, .page = QStringLiteral("timeline"), .size = size}) &&
           m_window.waitForControl(QStringLiteral("action.F0.cpu:0"));
  }

  [[nodiscard]] QRect rectOf(const QString& name) {
    return m_window.waitForControl(name) ? m_window.map().find(name)->rect : QRect();
  }

  /// The visible part of the step. @units nanoseconds from its start
  struct Range {
    double from = 0.0, to = 0.0;
    [[nodiscard]] double span() const { return to - from; }
  };
  [[nodiscard]] Range range() const {
    const QString value = m_window.map().valueOf(QStringLiteral("timelineRange"));
    return {value.section(QChar(u' '), 0, 0).toDouble(), value.section(QChar(u' '), 1).toDouble()};
  }
  [[nodiscard]] bool waitForRange(const QString& what, const std::function<bool(Range)>& good) {
    return m_window.waitFor(what, [&](const UiMapFile&) { return good(range()); });
  }
};

}  // namespace stagelane::gui
