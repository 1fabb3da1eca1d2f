#pragma once

/// The sweep that the window shows, and pages' requests about it. The owner of the engine process
/// acts on them and updates this.

#include <QObject>
#include <QString>

#include "engine/plan/sweep.h"
#include "ui/session/run/sweep_view.h"

namespace stagelane::ui {

class CurrentSweep final : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;

  /// The running sweep, or the latest one that is not complete; null for none.
  [[nodiscard]] SweepViewPtr view() const { return m_view; }
  void setView(SweepViewPtr view);

  void request(const plan::SweepSpec& spec) { Q_EMIT requested(spec); }
  /// Resumes a paused or interrupted sweep, or ends it permanently.
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
