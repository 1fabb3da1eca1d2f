#include "tests/support/async_device/task_queue.h"

#include <ATen/Parallel.h>
#include <ATen/record_function.h>
#include <dlfcn.h>
#include <pthread.h>

#include <exception>
#include <thread>
#include <utility>

namespace stagelane::async_device {
namespace {

/// One thread for each operator, as the CPU workers that the device is compared with: the number of
/// threads decides the order of additions. LibTorch applies its own number at the first call.
void useOneThread() {
  static_cast<void>(at::get_num_threads());
  if (void* const openMp = dlsym(RTLD_DEFAULT, "omp_set_num_threads")) {
    reinterpret_cast<void (*)(int)>(openMp)(1);
  }
  if (void* const mkl = dlsym(RTLD_DEFAULT, "MKL_Set_Num_Threads_Local")) {
    reinterpret_cast<int (*)(int)>(mkl)(1);
  }
}

}  // namespace

TaskQueue::TaskQueue(std::size_t number, const c10::Stream& stream, Hooks hooks)
    : m_number(number), m_stream(stream), m_hooks(std::move(hooks)) {
  std::thread thread([this] { work(); });
  pthread_setname_np(thread.native_handle(), ("stream " + std::to_string(number)).c_str());
  thread.detach();
}

void TaskQueue::push(Task task) {
  {
    const std::lock_guard<std::mutex> lock(m_mutex);
    m_tasks.push_back(std::move(task));
    ++m_queued;
  }
  m_changed.notify_all();
}

std::uint64_t TaskQueue::queued() const {
  const std::lock_guard<std::mutex> lock(m_mutex);
  return m_queued;
}

bool TaskQueue::ended(std::uint64_t tasks) const {
  const std::lock_guard<std::mutex> lock(m_mutex);
  return m_ended >= tasks;
}

void TaskQueue::wait(std::uint64_t tasks) const {
  std::unique_lock<std::mutex> lock(m_mutex);
  m_changed.wait(lock, [&] { return m_ended >= tasks; });
}

Task TaskQueue::take() {
  std::unique_lock<std::mutex> lock(m_mutex);
  m_changed.wait(lock, [this] { return !m_tasks.empty(); });
  Task task = std::move(m_tasks.front());
  m_tasks.pop_front();
  return task;
}

void TaskQueue::work() {
  useOneThread();
  // The operators of a task are the device's, not the program's: recorders must not see them.
  at::enableRecordFunction(false);
  for (std::uint64_t number = 1;; ++number) {
    Task task = take();
    try {
      m_hooks.before(*this, task, number);
      task.body();
    } catch (const std::exception& error) {
      m_hooks.failed(*this, task, error.what());
    }
    // Frees what the body holds before somebody who waited for the task looks.
    task.body = nullptr;
    {
      const std::lock_guard<std::mutex> lock(m_mutex);
      ++m_ended;
    }
    m_changed.notify_all();
  }
}

}  // namespace stagelane::async_device
