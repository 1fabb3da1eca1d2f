#include "ui/models/latest_job.h"

namespace stagelane::ui {

LatestJob::LatestJob(QObject* parent) : QObject(parent) { m_pool.setMaxThreadCount(1); }

LatestJob::~LatestJob() {
  cancel();
  m_pool.waitForDone();
}

void LatestJob::start(Work work) {
  if (m_canceled) *m_canceled = true;
  m_canceled = std::make_shared<std::atomic<bool>>(false);
  m_pool.clear();
  setRunning(true);
  m_pool.start([this, canceled = m_canceled, work = std::move(work)] {
    std::function<void()> done = *canceled ? nullptr : work(*canceled);
    QMetaObject::invokeMethod(
        this,
        [this, canceled, done = std::move(done)] {
          if (canceled != m_canceled || *canceled) return;
          setRunning(false);
          if (done) done();
        },
        Qt::QueuedConnection);
  });
}

void LatestJob::cancel() {
  if (m_canceled) *m_canceled = true;
  m_pool.clear();
  setRunning(false);
}

void LatestJob::setRunning(bool running) {
  if (m_running == running) return;
  m_running = running;
  Q_EMIT runningChanged();
}

}  // namespace stagelane::ui
