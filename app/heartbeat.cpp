#include "app/heartbeat.h"

#include "engine/base/files.h"
#include "engine/base/json.h"
#include "ui/models/formatting.h"

namespace stagelane::app {
namespace {

constexpr int kBeatMs = 5;
constexpr qint64 kWriteMs = 500;

}  // namespace

Heartbeat::Heartbeat(const QString& file, QObject* parent) : QObject(parent), m_file(file) {
  m_timer.setTimerType(Qt::PreciseTimer);
  m_timer.setInterval(kBeatMs);
  connect(&m_timer, &QTimer::timeout, this, &Heartbeat::beat);
  m_sinceBeat.start();
  m_sinceWrite.start();
  m_timer.start();
}

Heartbeat::~Heartbeat() { write(); }

void Heartbeat::beat() {
  m_longestNs = std::max(m_longestNs, m_sinceBeat.nsecsElapsed() - kBeatMs * 1'000'000LL);
  if (m_sinceWrite.elapsed() >= kWriteMs) {
    write();
    m_sinceWrite.restart();
  }
  m_sinceBeat.restart();
}

void Heartbeat::write() {
  const Json line{{"longest_gap_ms", static_cast<double>(m_longestNs) / 1e6}};
  // A heartbeat that cannot be written must not end the window; the test that wants it will miss
  // it.
  (void)writeFileAtomically(ui::utf8(m_file), line.dump() + "\n");
}

}  // namespace stagelane::app
