#pragma once

/// Memory of the devices and pinned host memory, in blocks, and who used them. An access is a range
/// of bytes within a block, so that streams may write different parts of one tensor.

#include <c10/core/Stream.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tests/support/async_device/recording.h"

namespace stagelane::async_device {

enum class AccessKind { Read, Write };

/// What a task does with memory.
struct Access {
  const void* data = nullptr;  ///< the first byte, in any block
  std::size_t bytes = 0;
  AccessKind kind = AccessKind::Read;
};

/// An access by a stream that has been seen.
struct Seen {
  std::size_t stream = 0;
  std::uint64_t task = 0;
  std::string name;  ///< the task's
  AccessKind kind = AccessKind::Read;
  std::size_t begin = 0;  ///< bytes from the block's first
  std::size_t end = 0;
  bool known = false;  ///< a host thread that had waited for it has read the memory since
};

/// `device` of pinned host memory.
constexpr int kPinned = -1;

struct Block {
  char* data = nullptr;
  std::size_t capacity = 0;
  std::size_t counted = 0;  ///< what was requested, rounded
  int device = kPinned;
  c10::StreamId stream = 0;                         ///< that it was allocated on
  bool live = true;                                 ///< false from the host's free on
  std::vector<c10::Stream> usedOn;                  ///< record_stream
  std::vector<std::shared_ptr<Recording>> pending;  ///< what holds it back after the free
  std::vector<Seen> seen;                           ///< writes, and reads since
};

/// All blocks by address.
class BlockTable {
 public:
  Block& add(std::unique_ptr<Block> block);
  void remove(const Block& block);
  /// The block with this address in it, or null.
  [[nodiscard]] Block* find(const void* data) const;

 private:
  std::map<const char*, std::unique_ptr<Block>> m_blocks;
};

}  // namespace stagelane::async_device
