#pragma once

/// The trace shown instead of the experiment's own, and pages' requests to open one.

#include <QObject>
#include <utility>

#include "ui/session/run/opened_trace.h"

namespace stagelane::ui {

class TraceFile final : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;

  /// Null for none.
  [[nodiscard]] OpenedTracePtr opened() const { return m_opened; }
  void show(OpenedTracePtr trace) {
    if (trace != m_opened) {
      m_opened = std::move(trace);
      Q_EMIT changed();
    }
  }
  void requestOpen() { Q_EMIT openRequested(); }

 Q_SIGNALS:
  void changed();
  void openRequested();

 private:
  OpenedTracePtr m_opened;
};

}  // namespace stagelane::ui
