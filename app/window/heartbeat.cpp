#include "app/window/heartbeat.h"

#include <QEvent>
#include <QFile>
#include <algorithm>

#include "engine/base/files.h"
#include "engine/base/json.h"
#include "engine/trace/recorder.h"
#include "ui/kit/text/formatting.h"

namespace stagelane::app {
namespace {

constexpr int kBeatMs = 5;
constexpr qint64 kWriteMs = 500;

}  // namespace

Heartbeat::Heartbeat(const QString& file, QWidget* window) : m_file(file) {
  window->installEventFilter(this);
  m_timer.setTimerType(Qt::PreciseTimer);
  m_timer.setInterval(kBeatMs);
  connect(&m_timer, &QTimer::timeout, this, &Heartbeat::beat);
  m_sinceBeat.start();
  m_sinceWrite.start();
  m_timer.start();
}

Heartbeat::~Heartbeat() { write(); }

bool Heartbeat::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Paint && m_firstPictureNs == 0) {
    // The event also paints the children, so the picture is complete after it.
    QTimer::singleShot(0, this, [this] { m_firstPictureNs = trace::monotonicNs(); });
    watched->removeEventFilter(this);
  }
  return QObject::eventFilter(watched, event);
}

void Heartbeat::beat() {
  m_longestNs = std::max(m_longestNs, m_sinceBeat.nsecsElapsed() - kBeatMs * 1'000'000LL);
  if (m_sinceWrite.elapsed() >= kWriteMs) {
    write();
    m_sinceWrite.restart();
  }
  m_sinceBeat.restart();
}

void Heartbeat::write() {
  if (m_written && !QFile::exists(m_file)) m_longestNs = 0;
  m_written = true;
  const Json line{{"longest_gap_ms", static_cast<double>(m_longestNs) / 1e6},
                  {"first_picture_ns", m_firstPictureNs}};
  // Ignore a write error; a test that reads the file notices it.
  (void)writeFileAtomically(ui::utf8(m_file), line.dump() + "\n");
}

}  // namespace stagelane::app
