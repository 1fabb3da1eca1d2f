#pragma once

/// SIGINT and SIGTERM as a Qt signal, so that a run is canceled from the event loop and never from
/// inside a signal handler. One at a time; what one of them no longer says, the next one does.

#include <QObject>
#include <memory>

class QSocketNotifier;

namespace stagelane::app {

class SignalWatch final : public QObject {
  Q_OBJECT

 public:
  explicit SignalWatch(QObject* parent = nullptr);
  ~SignalWatch() override;

 Q_SIGNALS:
  /// Emitted once for each signal that came.
  void stopRequested();

 private:
  std::unique_ptr<QSocketNotifier> m_notifier;
};

}  // namespace stagelane::app
