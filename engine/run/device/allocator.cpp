#include "engine/run/device/allocator.h"

#include <c10/core/Allocator.h>
#include <c10/core/CPUAllocator.h>
#include <c10/util/Exception.h>

#include <array>
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <limits>
#include <mutex>
#include <new>

#include "engine/base/text.h"
#include "engine/run/device/host.h"
#include "engine/run/engine.h"

namespace stagelane::run {
namespace {

// Size classes: four for each power of two from 256 B on, so that at most a quarter of a block is
// wasted (accounting excludes the waste).
constexpr int kSmallestShift = 8;
constexpr int kLargestShift = 47;
constexpr std::size_t kClasses = std::size_t{4} * (kLargestShift - kSmallestShift + 1);
constexpr std::size_t kAlignment = 64;

/// Precedes every block's data.
struct alignas(kAlignment) Header {
  std::size_t requested = 0;  ///< requested bytes, which are accounted
  std::uint32_t sizeClass = 0;
  std::int32_t owner = 0;
  bool cached = false;     ///< returns to the owner's free list, not to the system
  Header* next = nullptr;  ///< in a free list
};
static_assert(sizeof(Header) == kAlignment, "data must stay aligned behind its header");

struct SizeClass {
  std::uint32_t index = 0;
  std::size_t bytes = 0;
};

/// The smallest size class that holds `bytes`.
SizeClass sizeClassOf(std::size_t bytes) {
  if (bytes <= (std::size_t{1} << kSmallestShift)) return {0, std::size_t{1} << kSmallestShift};
  const int shift = 63 - __builtin_clzll(bytes - 1);  // 2^shift < bytes <= 2^(shift + 1)
  const std::size_t step = (std::size_t{1} << shift) / 4;
  const std::size_t steps = (bytes - (std::size_t{1} << shift) + step - 1) / step;  // 1 … 4
  const auto base = static_cast<std::uint32_t>(4 * (shift - kSmallestShift));
  return {base + static_cast<std::uint32_t>(steps), (std::size_t{1} << shift) + steps * step};
}

/// Free blocks of one size.
struct FreeList {
  Header* head = nullptr;
  std::int64_t lastTurn = 0;  ///< last turn in which a block was requested
};

/// Accounts and free blocks of one owner.
struct alignas(kAlignment) Owner {
  std::atomic<Bytes> live{0};
  std::atomic<Bytes> peak{0};
  std::atomic<Bytes> limit{0};
  std::atomic<std::int64_t> allocations{0};
  std::atomic<Bytes> cached{0};
  std::atomic<Bytes> fetched{0};
  std::mutex mutex;  ///< guards `free`
  std::array<FreeList, kClasses> free{};
};

/// c10 has one CPU allocator per process, so accounting is per process too. Never destroyed,
/// because tensors with static lifetime may be freed after every destructor.
std::array<Owner, kMaxOwners>& owners() {
  static auto* const kOwners = new std::array<Owner, kMaxOwners>();
  return *kOwners;
}
std::atomic<bool> installed{false};
std::atomic<bool> reuseBlocks{true};
/// Limit of live plus cached bytes above which cached blocks are freed; 0 for none.
std::atomic<Bytes> cacheLimit{0};
std::atomic<std::int64_t> currentTurn{0};
thread_local int currentOwner = 0;

Owner& ownerOf(int owner) {
  assert(owner >= 0 && owner < kMaxOwners);
  return owners()[static_cast<std::size_t>(owner)];
}

void raisePeak(Owner& owner, Bytes live) {
  Bytes peak = owner.peak.load(std::memory_order_relaxed);
  while (live > peak && !owner.peak.compare_exchange_weak(peak, live, std::memory_order_relaxed)) {
  }
}

[[noreturn]] void throwOutOfMemory(std::size_t bytes, const std::string& has) {
  throw c10::OutOfMemoryError(
      {__func__, __FILE__, static_cast<std::uint32_t>(__LINE__)},
      "out of memory: needs " + humanBytes(static_cast<Bytes>(bytes)) + " more, has " + has);
}

/// Adds `bytes` to the account of `owner`; throws if that exceeds its limit.
void account(Owner& owner, std::size_t bytes) {
  const auto more = static_cast<Bytes>(bytes);
  const Bytes live = owner.live.fetch_add(more, std::memory_order_relaxed) + more;
  const Bytes limit = owner.limit.load(std::memory_order_relaxed);
  if (limit > 0 && live > limit) {
    owner.live.fetch_sub(more, std::memory_order_relaxed);
    throwOutOfMemory(bytes, humanBytes(std::max<Bytes>(0, limit - (live - more))) + " left of " +
                                humanBytes(limit));
  }
  owner.allocations.fetch_add(1, std::memory_order_relaxed);
  raisePeak(owner, live);
}

/// Bytes of a block of the class, header included.
Bytes bytesOfClass(std::uint32_t sizeClass) {
  if (sizeClass == 0) return Bytes{1} << kSmallestShift;
  const std::uint32_t shift = kSmallestShift + (sizeClass - 1) / 4;
  const Bytes steps = (sizeClass - 1) % 4 + 1;
  return (Bytes{1} << shift) + steps * ((Bytes{1} << shift) / 4);
}

Header* takeFree(Owner& owner, std::uint32_t sizeClass) {
  const std::lock_guard<std::mutex> lock(owner.mutex);
  FreeList& list = owner.free[sizeClass];
  list.lastTurn = currentTurn.load(std::memory_order_relaxed);
  Header* const block = list.head;
  if (block != nullptr) {
    list.head = block->next;
    owner.cached.fetch_sub(bytesOfClass(sizeClass), std::memory_order_relaxed);
  }
  return block;
}

void putFree(Owner& owner, Header* block) {
  const std::lock_guard<std::mutex> lock(owner.mutex);
  FreeList& list = owner.free[block->sizeClass];
  block->next = list.head;
  list.head = block;
  owner.cached.fetch_add(bytesOfClass(block->sizeClass), std::memory_order_relaxed);
}

/// Frees cached blocks of classes last used before `turn`.
void releaseUnusedSince(std::int64_t turn) {
  for (Owner& owner : owners()) {
    const std::lock_guard<std::mutex> lock(owner.mutex);
    for (std::uint32_t sizeClass = 0; sizeClass < kClasses; ++sizeClass) {
      FreeList& list = owner.free[sizeClass];
      while (list.head != nullptr && list.lastTurn < turn) {
        Header* const block = list.head;
        list.head = block->next;
        owner.cached.fetch_sub(bytesOfClass(sizeClass), std::memory_order_relaxed);
        std::free(block);
      }
    }
  }
}

/// Frees cached memory if a new block would exceed the limit: first blocks of earlier turns, then
/// all cached blocks.
void keepWithinBound(std::size_t bytes) {
  const Bytes limit = cacheLimit.load(std::memory_order_relaxed);
  const auto beyond = [&] {
    return liveAndCachedBytes() + static_cast<Bytes>(bytes) > limit && cachedBytes() > 0;
  };
  if (limit > 0 && beyond()) {
    releaseUnusedSince(currentTurn.load());
    if (beyond()) releaseCachedBlocks();
  }
}

/// Allocates from the system; on failure frees the caches and retries.
void* fromSystem(std::size_t bytes) {
  void* block = std::aligned_alloc(kAlignment, bytes);
  if (block == nullptr) {
    releaseCachedBlocks();
    block = std::aligned_alloc(kAlignment, bytes);
  }
  return block;
}

/// A block that holds `bytes` after its header, from the cache or the system; null if neither can.
Header* obtainBlock(Owner& owner, std::size_t bytes) {
  const std::size_t whole = bytes + sizeof(Header);
  if (!reuseBlocks.load(std::memory_order_relaxed)) {
    const std::size_t rounded = (whole + kAlignment - 1) / kAlignment * kAlignment;
    void* const memory = fromSystem(rounded);
    return memory == nullptr ? nullptr : new (memory) Header{};
  }
  const SizeClass size = sizeClassOf(whole);
  if (Header* const block = takeFree(owner, size.index)) return block;
  keepWithinBound(size.bytes);
  void* const memory = fromSystem(size.bytes);
  owner.fetched.fetch_add(static_cast<Bytes>(size.bytes), std::memory_order_relaxed);
  return memory == nullptr ? nullptr : new (memory) Header{0, size.index, 0, true, nullptr};
}

void deleteBlock(void* data) {
  if (data == nullptr) return;
  auto* const block = reinterpret_cast<Header*>(static_cast<char*>(data) - sizeof(Header));
  Owner& owner = ownerOf(block->owner);
  owner.live.fetch_sub(static_cast<Bytes>(block->requested), std::memory_order_relaxed);
  if (block->cached) {
    putFree(owner, block);
  } else {
    std::free(block);
  }
}

class AccountingAllocator final : public c10::Allocator {
 public:
  c10::DataPtr allocate(std::size_t bytes) override {
    if (bytes == 0) return {nullptr, nullptr, &deleteBlock, c10::Device(c10::DeviceType::CPU)};
    if (bytes > (std::size_t{1} << kLargestShift)) {
      throwOutOfMemory(bytes, "less than that on any machine");
    }
    const int ownerIndex = currentOwner;
    Owner& owner = ownerOf(ownerIndex);
    account(owner, bytes);
    Header* const block = obtainBlock(owner, bytes);
    if (block == nullptr) {
      owner.live.fetch_sub(static_cast<Bytes>(bytes), std::memory_order_relaxed);
      throwOutOfMemory(bytes, "less than that free on this machine");
    }
    block->requested = bytes;
    block->owner = ownerIndex;
    void* const data = reinterpret_cast<char*>(block) + sizeof(Header);
    return {data, data, &deleteBlock, c10::Device(c10::DeviceType::CPU)};
  }
  c10::DeleterFnPtr raw_deleter() const override { return &deleteBlock; }
  void copy_data(void* target, const void* source, std::size_t count) const override {
    default_copy_data(target, source, count);
  }
};

}  // namespace

void installAllocator(plan::AllocatorKind kind) {
  reuseBlocks = kind == plan::AllocatorKind::Caching;
  if (!installed.exchange(true)) {
    setCacheLimit(hostMemory() / 2);
    static auto* const kAllocator = new AccountingAllocator();
    c10::SetCPUAllocator(kAllocator, /*priority=*/1);
  }
}

void setAllocationOwner(int owner) {
  assert(owner >= 0 && owner < kMaxOwners);
  currentOwner = owner;
}

AllocationStats allocationStats(int owner) {
  const Owner& books = ownerOf(owner);
  return {books.live.load(), books.peak.load(), books.allocations.load()};
}

void resetPeak(int owner) {
  Owner& books = ownerOf(owner);
  books.peak.store(books.live.load());
}

void setAllocationLimit(int owner, Bytes limit) { ownerOf(owner).limit.store(limit); }

void releaseCachedBlocks() { releaseUnusedSince(std::numeric_limits<std::int64_t>::max()); }

void setCacheLimit(Bytes limit) { cacheLimit.store(limit); }

void beginAllocationTurn() { ++currentTurn; }

Bytes cachedBytes() {
  Bytes sum = 0;
  for (const Owner& owner : owners()) sum += owner.cached.load(std::memory_order_relaxed);
  return sum;
}

Bytes fetchedBytes() {
  Bytes sum = 0;
  for (const Owner& owner : owners()) sum += owner.fetched.load(std::memory_order_relaxed);
  return sum;
}

Bytes liveAndCachedBytes() {
  Bytes sum = cachedBytes();
  for (const Owner& owner : owners()) sum += owner.live.load(std::memory_order_relaxed);
  return sum;
}

}  // namespace stagelane::run
