#pragma once

/// How long the event loop was ever busy with one thing: `STAGELANE_HEARTBEAT=FILE` has the longest
/// gap between two beats written there, so that tests can hold the window to its 50 ms.

#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <QTimer>

namespace stagelane::app {

class Heartbeat final : public QObject {
  Q_OBJECT

 public:
  explicit Heartbeat(const QString& file, QObject* parent = nullptr);
  ~Heartbeat() override;

 private:
  void beat();
  void write();

  QString m_file;
  QTimer m_timer;
  QElapsedTimer m_sinceBeat;
  QElapsedTimer m_sinceWrite;
  qint64 m_longestNs = 0;
};

}  // namespace stagelane::app
