#pragma once

/// The estimated duration of a run: predicted steps of its variants times batches and repeats, plus
/// warm-up and baselines. Computed shortly after an edit, in another thread, and never during a
/// measurement.

#include <QHash>
#include <QObject>
#include <QString>
#include <QTimer>
#include <optional>

#include "ui/kit/latest_job.h"

namespace stagelane::ui {

class Session;

class RunEstimate final : public QObject {
  Q_OBJECT

 public:
  explicit RunEstimate(Session* session, QObject* parent = nullptr);

  /// All included variants that can run; nothing while unknown.
  [[nodiscard]] std::optional<double> includedSeconds() const;
  /// One tab.
  [[nodiscard]] std::optional<double> tabSeconds(const QString& tabId) const;
  /// An answer is pending.
  [[nodiscard]] bool busy() const { return m_delay.isActive() || m_job.running(); }

 Q_SIGNALS:
  void changed();

 private:
  void ask();
  void start();

  Session* m_session;
  QTimer m_delay;
  QHash<QString, double> m_seconds;  ///< variant id → seconds
  bool m_known = false;
  LatestJob m_job;
};

}  // namespace stagelane::ui
