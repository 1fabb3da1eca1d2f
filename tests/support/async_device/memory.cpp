#include "tests/support/async_device/memory.h"

#include <c10/util/Exception.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <new>
#include <tuple>
#include <vector>

#include "tests/support/async_device/device_errors.h"
#include "tests/support/async_device/faults.h"
#include "tests/support/async_device/scheduler.h"
#include "tests/support/async_device/streams.h"

namespace stagelane::async_device {
namespace {

using Lock = Scheduler::Lock;

constexpr std::size_t kGranularity = 512;
constexpr int kPoison = 0xff;
constexpr auto kAll = static_cast<std::size_t>(c10::CachingAllocator::StatType::AGGREGATE);

struct DeviceMemory {
  c10::CachingDeviceAllocator::DeviceStats stats;
  std::size_t limit = 0;
};

/// Guarded by the scheduler's lock, except the atomics.
struct Memory {
  std::array<DeviceMemory, kDevices> devices;
  std::map<std::tuple<int, c10::StreamId, std::size_t>, std::vector<Block*>> free;
  std::vector<Block*> heldBack;  ///< freed, but recorded streams still use them
  std::atomic<bool> poison{true};
  std::atomic<std::uintptr_t> firstPinned{UINTPTR_MAX};
  std::atomic<std::uintptr_t> lastPinned{0};

  DeviceMemory& of(int device) { return devices.at(static_cast<std::size_t>(device)); }
};

Memory& memory() {
  static auto* const kMemory = new Memory();  // streams outlive static destruction
  return *kMemory;
}

std::size_t rounded(std::size_t bytes) {
  return (std::max<std::size_t>(bytes, 1) + kGranularity - 1) / kGranularity * kGranularity;
}

std::size_t capacityOf(std::size_t bytes) {
  std::size_t capacity = kGranularity;
  while (capacity < bytes) capacity *= 2;
  return capacity;
}

c10::Stream streamOf(const Block& block) {
  return c10::Stream(c10::Stream::UNSAFE, deviceAt(block.device), block.stream);
}

/// To the free list. The recorded streams are done with it, but no other use is known to be.
void release(const Lock& lock, Block& block) {
  const bool poison = memory().poison;
  if (block.device == kPinned) {
    scheduler().races(lock).byHostAllocator("reuse of freed memory", scheduler().hostClock(lock),
                                            block);
    if (poison) std::memset(block.data, kPoison, block.capacity);
    block.seen.clear();
  } else {
    memory().of(block.device).stats.active_bytes[kAll].decrease(block.counted);
    scheduler().push(lock, streamOf(block),
                     {"reuse of freed memory", TaskKind::Control,
                      [poison, data = block.data, capacity = block.capacity] {
                        if (poison) std::memset(data, kPoison, capacity);
                      }},
                     {{block.data, block.capacity, AccessKind::Write}});
  }
  memory().free[{block.device, block.stream, block.capacity}].push_back(&block);
}

bool isOver(const Block& block) {
  return std::all_of(block.pending.begin(), block.pending.end(),
                     [](const auto& recording) { return recording->reached(); });
}

/// Accesses that the recordings of record_stream cover are done.
void forgetRecordedUses(Block& block) {
  std::erase_if(block.seen, [&block](const Seen& seen) {
    return std::any_of(block.pending.begin(), block.pending.end(), [&seen](const auto& recording) {
      return recording->stream == seen.stream && recording->task >= seen.task;
    });
  });
  block.pending.clear();
}

/// Releases the held back blocks that no recorded stream uses any more.
void releaseHeldBack(const Lock& lock) {
  std::vector<Block*> over;
  std::erase_if(memory().heldBack, [&over](Block* block) {
    const bool done = isOver(*block);
    if (done) over.push_back(block);
    return done;
  });
  for (Block* block : over) {
    forgetRecordedUses(*block);
    release(lock, *block);
  }
}

/// Waits until no block of the device is held back.
void waitForHeldBack(Lock& lock, int device) {
  std::vector<std::shared_ptr<Recording>> pending;
  for (const Block* block : memory().heldBack) {
    if (block->device != device) continue;
    pending.insert(pending.end(), block->pending.begin(), block->pending.end());
  }
  lock.unlock();
  for (const auto& recording : pending) recording->wait();
  lock.lock();
  releaseHeldBack(lock);
}

bool fits(int device, std::size_t counted) {
  const DeviceMemory& of = memory().of(device);
  const std::size_t most = of.limit == 0 ? kDeviceBytes : std::min(of.limit, kDeviceBytes);
  return static_cast<std::size_t>(of.stats.active_bytes[kAll].current) + counted <= most;
}

/// Throws c10::OutOfMemoryError if the device has no room.
void makeRoom(Lock& lock, int device, std::size_t counted) {
  auto& stats = memory().of(device).stats;
  bool room = !allocationFails(device);
  if (room && !fits(device, counted)) {
    ++stats.num_alloc_retries;
    waitForHeldBack(lock, device);
    room = fits(device, counted);
  }
  if (!room) {
    ++stats.num_ooms;
    TORCH_CHECK_WITH(OutOfMemoryError, false, "async device ", device,
                     " out of memory. Tried to allocate ", counted, " bytes; ",
                     stats.active_bytes[kAll].current, " bytes are in use");
  }
}

void notePinned(const Block& block) {
  const auto first = reinterpret_cast<std::uintptr_t>(block.data);
  memory().firstPinned = std::min(memory().firstPinned.load(), first);
  memory().lastPinned = std::max(memory().lastPinned.load(), first + block.capacity);
}

Block& makeBlock(const Lock& lock, int device, c10::StreamId stream, std::size_t capacity) {
  auto block = std::make_unique<Block>();
  block->data = static_cast<char*>(std::aligned_alloc(kGranularity, capacity));
  if (block->data == nullptr) throw std::bad_alloc();
  if (memory().poison) std::memset(block->data, kPoison, capacity);
  block->capacity = capacity;
  block->device = device;
  block->stream = stream;
  if (device == kPinned) {
    notePinned(*block);
  } else {
    memory().of(device).stats.reserved_bytes[kAll].increase(capacity);
  }
  return scheduler().blocks(lock).add(std::move(block));
}

void* allocate(int device, c10::StreamId stream, std::size_t bytes) {
  Lock lock = scheduler().lock();
  releaseHeldBack(lock);
  const std::size_t counted = rounded(bytes);
  const std::size_t capacity = capacityOf(counted);
  if (device != kPinned) makeRoom(lock, device, counted);
  auto& free = memory().free[{device, stream, capacity}];
  Block* block = nullptr;
  if (free.empty()) {
    block = &makeBlock(lock, device, stream, capacity);
  } else {
    block = free.back();
    free.pop_back();
  }
  block->live = true;
  block->counted = counted;
  if (device != kPinned) {
    auto& stats = memory().of(device).stats;
    stats.allocated_bytes[kAll].increase(counted);
    stats.active_bytes[kAll].increase(counted);
  }
  return block->data;
}

}  // namespace

void* allocateOn(const c10::Stream& stream, std::size_t bytes) {
  return allocate(stream.device_index(), stream.id(), bytes);
}

void* allocatePinned(std::size_t bytes) { return allocate(kPinned, 0, bytes); }

void freeMemory(void* data) {
  if (data == nullptr) return;
  const Lock lock = scheduler().lock();
  Block* const block = scheduler().blocks(lock).find(data);
  TORCH_INTERNAL_ASSERT(block != nullptr && block->data == data && block->live);
  block->live = false;
  if (block->device != kPinned) {
    memory().of(block->device).stats.allocated_bytes[kAll].decrease(block->counted);
  }
  for (const c10::Stream& stream : block->usedOn) {
    block->pending.push_back(scheduler().record(lock, stream));
  }
  block->usedOn.clear();
  if (block->pending.empty()) {
    release(lock, *block);
  } else {
    memory().heldBack.push_back(block);
  }
}

void recordUse(const void* data, const c10::Stream& stream) {
  const Lock lock = scheduler().lock();
  Block* const block = scheduler().blocks(lock).find(data);
  if (block == nullptr) return;
  if (block->device != kPinned && streamOf(*block) == stream) return;
  const auto& used = block->usedOn;
  if (std::find(used.begin(), used.end(), stream) == used.end()) block->usedOn.push_back(stream);
}

bool mayBePinned(const void* data) {
  const auto address = reinterpret_cast<std::uintptr_t>(data);
  return address >= memory().firstPinned && address < memory().lastPinned;
}

bool isPinned(const void* data) {
  if (!mayBePinned(data)) return false;
  const Lock lock = scheduler().lock();
  const Block* const block = scheduler().blocks(lock).find(data);
  return block != nullptr && block->device == kPinned;
}

int deviceOf(const void* data) {
  const Lock lock = scheduler().lock();
  const Block* const block = scheduler().blocks(lock).find(data);
  TORCH_CHECK(block != nullptr && block->device != kPinned, "not memory of an async device");
  return block->device;
}

void setPoison(bool on) { memory().poison = on; }

void setMemoryLimit(int device, std::size_t bytes) {
  const Lock lock = scheduler().lock();
  memory().of(device).limit = bytes;
}

c10::CachingDeviceAllocator::DeviceStats memoryStats(int device) {
  const Lock lock = scheduler().lock();
  return memory().of(device).stats;
}

void resetPeakStats(int device) {
  const Lock lock = scheduler().lock();
  auto& stats = memory().of(device).stats;
  for (auto* const bytes : {&stats.allocated_bytes, &stats.active_bytes, &stats.reserved_bytes}) {
    (*bytes)[kAll].reset_peak();
  }
}

void resetAccumulatedStats(int device) {
  const Lock lock = scheduler().lock();
  auto& stats = memory().of(device).stats;
  stats.num_ooms = 0;
  stats.num_alloc_retries = 0;
}

std::pair<std::size_t, std::size_t> memoryInfo(int device) {
  const Lock lock = scheduler().lock();
  const auto used = static_cast<std::size_t>(memory().of(device).stats.active_bytes[kAll].current);
  return {kDeviceBytes - std::min(used, kDeviceBytes), kDeviceBytes};
}

void emptyCache() {
  std::map<std::tuple<int, c10::StreamId, std::size_t>, std::vector<Block*>> cached;
  std::vector<std::pair<const TaskQueue*, std::uint64_t>> queues;
  {
    const Lock lock = scheduler().lock();
    releaseHeldBack(lock);
    cached.swap(memory().free);
    for (const TaskQueue* queue : scheduler().queuesOf(lock, -1)) {
      queues.emplace_back(queue, queue->queued());
    }
  }
  // A task that should not use a freed block may be queued all the same: that is what tests are
  // for, and it must not crash.
  for (const auto& [queue, tasks] : queues) queue->wait(tasks);
  const Lock lock = scheduler().lock();
  for (const auto& [key, blocks] : cached) {
    for (Block* block : blocks) {
      if (block->device != kPinned) {
        memory().of(block->device).stats.reserved_bytes[kAll].decrease(block->capacity);
      }
      char* const data = block->data;
      scheduler().blocks(lock).remove(*block);
      std::free(data);
    }
  }
}

}  // namespace stagelane::async_device
