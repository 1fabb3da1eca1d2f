#pragma once

/// Measures the longest block of the event loop and the time of the first paint for tests and
/// benchmarks: with `STAGELANE_HEARTBEAT=FILE`, writes `longest_gap_ms` between two beats and
/// `first_picture_ns` (CLOCK_MONOTONIC) to the file. Removing the file resets the longest gap.

#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <QTimer>
#include <QWidget>

namespace stagelane::app {

class Heartbeat final : public QObject {
  Q_OBJECT

 public:
  /// @param window outlives it; watched for its first paint event
  Heartbeat(const QString& file, QWidget* window);
  ~Heartbeat() override;

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void beat();
  void write();

  QString m_file;
  QTimer m_timer;
  QElapsedTimer m_sinceBeat;
  QElapsedTimer m_sinceWrite;
  qint64 m_longestNs = 0;
  bool m_written = false;
  qint64 m_firstPictureNs = 0;  ///< 0 before the first paint
};

}  // namespace stagelane::app
