#include "ui/kit/latest_job.h"

#include <QtGlobal>
#include <exception>

namespace stagelane::ui {
namespace {

/// An exception that leaves a thread ends the program.
std::function<void()> answerOf(const LatestJob::Work& work, const std::atomic<bool>& canceled) {
  try {
    return work(canceled);
  } catch (const std::exception& error) {
    qWarning("stagelane: background work failed: %s", error.what());
    return nullptr;
  }
}

}  // namespace

LatestJob::LatestJob(QObject* parent) : QObject(parent) { m_pool.setMaxThreadCount(1); }

LatestJob::~LatestJob() {
  cancel();
  m_pool.waitForDone();
}

void LatestJob::start(Work work) {
  if (m_canceled) *m_canceled = true;
  m_canceled = std::make_shared<std::atomic<bool>>(false);
  m_pool.clear();
  m_running = true;
  m_pool.start([this, canceled = m_canceled, work = std::move(work)] {
    std::function<void()> done = *canceled ? nullptr : answerOf(work, *canceled);
    QMetaObject::invokeMethod(
        this,
        [this, canceled, done = std::move(done)] {
          if (canceled != m_canceled || *canceled) return;
          m_running = false;
          if (done) done();
        },
        Qt::QueuedConnection);
  });
}

void LatestJob::cancel() {
  if (m_canceled) *m_canceled = true;
  m_pool.clear();
  m_running = false;
}

}  // namespace stagelane::ui
