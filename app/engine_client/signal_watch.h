#pragma once

/// SIGINT, SIGTERM and SIGHUP (a closed terminal) as a Qt signal, so that runs are canceled from
/// the event loop and not from a signal handler. Only one instance at a time; the next one reports
/// a signal that this one missed.

#include <QObject>
#include <memory>

class QSocketNotifier;

namespace stagelane::app {

/// Until a SignalWatch is there, these signals end the process with the exit code of a canceled
/// command. Call it once, before anything is written.
void cancelOnSignals();

class SignalWatch final : public QObject {
  Q_OBJECT

 public:
  explicit SignalWatch(QObject* parent = nullptr);
  ~SignalWatch() override;

 Q_SIGNALS:
  /// Emitted once per signal.
  void stopRequested();

 private:
  std::unique_ptr<QSocketNotifier> m_notifier;
};

}  // namespace stagelane::app
