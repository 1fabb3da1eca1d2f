#include "engine/run/device/worker.h"

#include <c10/util/Exception.h>
#include <pthread.h>

#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <new>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <thread>

namespace stagelane::run {
namespace {

std::string firstLine(std::string_view text) {
  return std::string(text.substr(0, text.find('\n')));
}

constexpr const char* kMemoryHint =
    "Use smaller micro-batches (split_size), spread the layers over more devices, or raise the "
    "device's max_memory";

Error outOfMemory(const std::string& what, std::string_view text) {
  return Error{ErrorCode::OutOfMemory, what + ": " + firstLine(text), "", kMemoryHint};
}

/// LibTorch reports some out-of-memory conditions (of its host allocator, of cuBLAS and others) as
/// a plain error.
bool speaksOfMemory(std::string_view text) {
  for (const std::string_view sign :
       {"out of memory", "can't allocate memory", "ALLOC_FAILED", "NOT_ENOUGH_MEMORY"}) {
    if (text.find(sign) != std::string_view::npos) return true;
  }
  return false;
}

Error failure(const std::string& what, std::string_view text) {
  if (speaksOfMemory(text)) return outOfMemory(what, text);
  return Error{ErrorCode::EngineFailure, what + ": " + firstLine(text), "", ""};
}

}  // namespace

void throwIfFailed(const Status& status) {
  if (!status) throw std::runtime_error(describe(status.error()));
}

Status guarded(const std::string& what, const std::function<Status()>& body) {
  try {
    return body();
  } catch (const c10::OutOfMemoryError& error) {
    return tl::make_unexpected(outOfMemory(what, error.what_without_backtrace()));
  } catch (const c10::Error& error) {
    return tl::make_unexpected(failure(what, error.what_without_backtrace()));
  } catch (const std::bad_alloc&) {
    return tl::make_unexpected(outOfMemory(what, "the host has no memory left"));
  } catch (const std::exception& error) {
    return tl::make_unexpected(failure(what, error.what()));
  } catch (...) {
    return tl::make_unexpected(failure(what, "an exception of unknown type"));
  }
}

struct Worker::Impl {
  struct Job {
    std::function<Status()> body;
    std::promise<Status> outcome;
  };

  std::string name;
  std::unique_ptr<Backend> backend;
  std::mutex mutex;  ///< guards `jobs` and `closed`
  std::condition_variable changed;
  std::deque<Job> jobs;
  bool closed = false;
  std::thread thread;

  /// The next job; empty once the worker closes.
  std::optional<Job> take() {
    std::unique_lock<std::mutex> lock(mutex);
    changed.wait(lock, [this] { return closed || !jobs.empty(); });
    if (closed) return std::nullopt;
    Job job = std::move(jobs.front());
    jobs.pop_front();
    return job;
  }

  /// The thread: enters the device, runs jobs, leaves it. If entering fails, every job returns that
  /// error.
  void run() {
    const Status entered = guarded("starting " + name, [this]() -> Status {
      backend->enterThread();
      return {};
    });
    while (std::optional<Job> job = take()) {
      Status outcome = entered ? guarded(name, job->body) : entered;
      if (!outcome && !outcome.error().failure.device.valid()) {
        outcome.error().failure.device = {name};
      }
      // Free what the job holds (such as tensors) before the caller sees its completion.
      job->body = nullptr;
      job->outcome.set_value(std::move(outcome));
    }
    // Nobody waits for the result of leaving.
    static_cast<void>(guarded("leaving " + name, [this]() -> Status {
      backend->leaveThread();
      return {};
    }));
  }

  /// Accepts no more jobs; pending ones return an error.
  void close() {
    std::deque<Job> unbegun;
    {
      const std::lock_guard<std::mutex> lock(mutex);
      closed = true;
      unbegun.swap(jobs);
    }
    changed.notify_all();
    for (Job& job : unbegun) {
      job.outcome.set_value(fail(ErrorCode::EngineFailure, name + ": ended before this job began"));
    }
  }
};

Worker::Worker(std::string name, std::unique_ptr<Backend> backend)
    : m_impl(std::make_shared<Impl>()) {
  m_impl->name = std::move(name);
  m_impl->backend = std::move(backend);
  m_impl->thread = std::thread([impl = m_impl] { impl->run(); });
  // Linux limits thread names to 15 characters.
  pthread_setname_np(m_impl->thread.native_handle(), m_impl->name.substr(0, 15).c_str());
}

Worker::~Worker() {
  if (!m_abandoned) {
    m_impl->close();
    m_impl->thread.join();
  }
}

Backend& Worker::backend() { return *m_impl->backend; }

const std::string& Worker::name() const { return m_impl->name; }

void Worker::abandon() {
  m_abandoned = true;
  m_impl->close();
  m_impl->thread.detach();
}

std::future<Status> Worker::submit(std::function<Status()> job) {
  Impl::Job queued{std::move(job), {}};
  std::future<Status> future = queued.outcome.get_future();
  {
    const std::lock_guard<std::mutex> lock(m_impl->mutex);
    if (m_impl->closed) {
      queued.outcome.set_value(
          fail(ErrorCode::EngineFailure, m_impl->name + ": its thread was abandoned"));
      return future;
    }
    m_impl->jobs.push_back(std::move(queued));
  }
  m_impl->changed.notify_one();
  return future;
}

}  // namespace stagelane::run
