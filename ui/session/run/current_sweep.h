#pragma once

/// The sweep that the window shows, and what pages ask of it. Whoever owns the engine process
/// answers and says what happens.

#include <QObject>
#include <QString>

#include "engine/plan/sweep.h"
#include "ui/session/run/sweep_view.h"

namespace stagelane::ui {

class CurrentSweep final : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;

  /// The sweep that runs, or the latest one that is not through; null for none.
  [[nodiscard]] SweepViewPtr view() const { return m_view; }
  void setView(SweepViewPtr view);

  void request(const plan::SweepSpec& spec) { Q_EMIT requested(spec); }
  /// Goes on with a sweep that was paused or interrupted; ends it for good.
  void requestGoOn(const QString& folder) { Q_EMIT goOnRequested(folder); }
  void requestCancel(const QString& folder) { Q_EMIT cancelRequested(folder); }

 Q_SIGNALS:
  void changed();
  void requested(const stagelane::plan::SweepSpec& spec);
  void goOnRequested(const QString& folder);
  void cancelRequested(const QString& folder);

 private:
  SweepViewPtr m_view;
};

}  // namespace stagelane::ui
