#pragma once

/// How long the event loop was ever busy with one thing, and when the window had its first picture:
/// `STAGELANE_HEARTBEAT=FILE` has `longest_gap_ms` between two beats written there and
/// `first_picture_ns` on CLOCK_MONOTONIC, so that tests and benchmarks can hold the window to them.
/// Who removes the file begins anew with the longest gap.

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
  qint64 m_firstPictureNs = 0;  ///< 0: there was none yet
};

}  // namespace stagelane::app
