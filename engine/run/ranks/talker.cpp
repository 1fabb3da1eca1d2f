#include "engine/run/ranks/talker.h"

#include <pthread.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

#include "engine/base/text.h"
#include "engine/run/device/worker.h"
#include "engine/run/ranks/running_time.h"

namespace stagelane::run {
namespace {

struct Job {
  std::string what;
  std::function<Status()> body;
  std::promise<Status> outcome;
};

Error stuckError(const std::string& what, TimeNs limitNs) {
  return {ErrorCode::EngineFailure,
          what + ": no answer within " + humanTime(static_cast<double>(limitNs)),
          "",
          "check that the process of rank 0 runs and that its host is reachable",
          {FailureKind::Stalled}};
}

}  // namespace

struct Talker::Shared {
  std::mutex mutex;  ///< guards jobs and ended
  std::condition_variable changed;
  std::deque<Job> jobs;
  bool ended = false;
  std::atomic<bool> stuck{false};
  std::thread thread;

  void serve() {
    for (;;) {
      std::unique_lock lock(mutex);
      changed.wait(lock, [this] { return ended || !jobs.empty(); });
      if (jobs.empty()) return;
      Job job = std::move(jobs.front());
      jobs.pop_front();
      lock.unlock();
      Status outcome = guarded(job.what, job.body);
      job.body = nullptr;  // frees what it owns before the caller continues
      job.outcome.set_value(std::move(outcome));
    }
  }
};

Talker::Talker(const std::string& name) : m_shared(std::make_shared<Shared>()) {
  m_shared->thread = std::thread([shared = m_shared, name] {
    pthread_setname_np(pthread_self(), name.substr(0, 15).c_str());
    shared->serve();
  });
}

Talker::~Talker() {
  {
    const std::lock_guard lock(m_shared->mutex);
    m_shared->ended = true;
  }
  m_shared->changed.notify_all();
  if (m_shared->stuck) {
    m_shared->thread.detach();
  } else {
    m_shared->thread.join();
  }
}

bool Talker::stuck() const { return m_shared->stuck; }

Status Talker::run(const std::string& what, TimeNs limitNs, std::function<Status()> body,
                   const StopCheck& stopped) {
  constexpr auto kSlice = std::chrono::milliseconds(20);
  if (stuck()) return fail(ErrorCode::EngineFailure, what + ": an earlier call has not returned");
  std::future<Status> outcome;
  {
    const std::lock_guard lock(m_shared->mutex);
    m_shared->jobs.push_back({what, std::move(body), {}});
    outcome = m_shared->jobs.back().outcome.get_future();
  }
  m_shared->changed.notify_all();
  RunningTime waited;
  while (outcome.wait_for(kSlice) != std::future_status::ready) {
    const bool stop = stopped && stopped();
    if (!stop && waited.elapsedNs() <= limitNs) continue;
    m_shared->stuck = true;
    if (stop) return fail(ErrorCode::EngineFailure, what + ": stopped before the call returned");
    return tl::make_unexpected(stuckError(what, limitNs));
  }
  return outcome.get();
}

}  // namespace stagelane::run
