#pragma once

/// What is being read from disk, and pages' requests to stop it.

#include <QObject>
#include <optional>
#include <utility>

#include "ui/session/run/opened_trace.h"

namespace stagelane::ui {

class Loading final : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;

  /// The trace file being read; nothing if there is none.
  [[nodiscard]] const std::optional<TraceLoading>& trace() const { return m_trace; }
  void setTrace(std::optional<TraceLoading> loading) {
    if (loading || m_trace) {
      m_trace = std::move(loading);
      Q_EMIT traceChanged();
    }
  }
  /// The run folder being opened; nothing if there is none.
  [[nodiscard]] const std::optional<TraceLoading>& run() const { return m_run; }
  void setRun(std::optional<TraceLoading> loading) {
    if (loading || m_run) {
      m_run = std::move(loading);
      Q_EMIT runChanged();
    }
  }
  void requestStopTrace() { Q_EMIT stopTraceRequested(); }
  void requestStopRun() { Q_EMIT stopRunRequested(); }

 Q_SIGNALS:
  void traceChanged();
  void runChanged();
  void stopTraceRequested();
  void stopRunRequested();

 private:
  std::optional<TraceLoading> m_trace;
  std::optional<TraceLoading> m_run;
};

}  // namespace stagelane::ui
