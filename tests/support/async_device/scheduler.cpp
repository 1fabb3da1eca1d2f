#include "tests/support/async_device/scheduler.h"

#include <chrono>
#include <thread>
#include <utility>

#include "tests/support/async_device/device_errors.h"
#include "tests/support/async_device/faults.h"

namespace stagelane::async_device {
namespace {

/// What the calling thread has waited for itself.
VectorClock& ownClock() {
  thread_local VectorClock own;
  return own;
}

/// A number that looks random, from three (splitmix64).
std::uint64_t mixed(std::uint64_t seed, std::uint64_t stream, std::uint64_t task) {
  std::uint64_t x = seed * 0x9e3779b97f4a7c15U + stream * 0xd1342543de82ef95U + task;
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31U);
}

std::string nameOf(const c10::Stream& stream) {
  return "device " + std::to_string(stream.device_index()) + " stream " +
         std::to_string(stream.id());
}

}  // namespace

Scheduler::Stream& Scheduler::streamOf(const c10::Stream& stream) {
  Stream& found = m_streams[{stream.device_index(), stream.id()}];
  if (!found.queue) {
    TaskQueue::Hooks hooks;
    hooks.before = [this](const TaskQueue& queue, const Task& task, std::uint64_t number) {
      before(queue, task, number);
    };
    hooks.failed = [](const TaskQueue& queue, const Task& task, const std::string& error) {
      keepError(queue.device(), task.name + ": " + error);
    };
    m_races.addStream(nameOf(stream));
    found.queue = std::make_unique<TaskQueue>(m_streams.size() - 1, stream, std::move(hooks));
  }
  return found;
}

void Scheduler::before(const TaskQueue& queue, const Task& task, std::uint64_t number) const {
  if (const int most = m_maxDelay; most > 0) {
    const std::uint64_t late =
        mixed(m_seed, queue.number(), number) % static_cast<std::uint64_t>(most);
    std::this_thread::sleep_for(std::chrono::microseconds(late));
  }
  meetFaults(queue.device(), task);
}

TaskQueue& Scheduler::queueOf(const Lock& /*lock*/, const c10::Stream& stream) {
  return *streamOf(stream).queue;
}

std::vector<TaskQueue*> Scheduler::queuesOf(const Lock& /*lock*/, int device) const {
  std::vector<TaskQueue*> queues;
  for (const auto& [place, stream] : m_streams) {
    if (device < 0 || place.first == device) queues.push_back(stream.queue.get());
  }
  return queues;
}

std::uint64_t Scheduler::push(const Lock& /*lock*/, const c10::Stream& stream, Task task,
                              const std::vector<Access>& accesses) {
  Stream& on = streamOf(stream);
  on.clock.join(m_host);
  const std::uint64_t number = on.clock.advance(on.queue->number());
  for (const Access& access : accesses) {
    Block* const block = access.bytes == 0 ? nullptr : m_blocks.find(access.data);
    if (block == nullptr) continue;
    m_races.byStream({on.queue->number(), number, task.name, on.clock}, *block, access);
  }
  ++m_tasks;
  on.queue->push(std::move(task));
  return number;
}

std::shared_ptr<Recording> Scheduler::record(const Lock& lock, const c10::Stream& stream) {
  auto recording = std::make_shared<Recording>();
  Stream& on = streamOf(stream);
  recording->device = stream.device_index();
  recording->stream = on.queue->number();
  recording->task =
      push(lock, stream, {"event record", TaskKind::Control, [recording] { recording->reach(); }});
  recording->clock = on.clock;
  return recording;
}

void Scheduler::block(const Lock& lock, const c10::Stream& stream,
                      const std::shared_ptr<Recording>& recording) {
  push(lock, stream, {"event wait", TaskKind::Control, [recording] { recording->wait(); }});
  streamOf(stream).clock.join(recording->clock);
}

VectorClock Scheduler::clockOf(const Lock& /*lock*/, const c10::Stream& stream) {
  return streamOf(stream).clock;
}

void Scheduler::hostWaited(const VectorClock& clock) {
  ownClock().join(clock);
  const Lock held = lock();
  m_host.join(clock);
}

void Scheduler::hostUses(const std::string& name, const Access& access) {
  const Lock held = lock();
  Block* const block = m_blocks.find(access.data);
  if (block == nullptr || block->device != kPinned) return;
  m_races.byHost(name, {ownClock(), m_host}, *block, access);
}

void Scheduler::setDelays(int maxMicroseconds, std::uint64_t seed) {
  m_seed = seed;
  m_maxDelay = maxMicroseconds;
}

Scheduler& scheduler() {
  static auto* const kScheduler = new Scheduler();
  return *kScheduler;
}

}  // namespace stagelane::async_device
