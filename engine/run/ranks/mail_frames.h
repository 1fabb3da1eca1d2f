#pragma once

/// Frames: the small messages that carry mail between two ranks. With Gloo a message leaves only
/// when its receiver has asked for it, which costs the time of a message back; so a reader always
/// has asked for several frames. A frame may be shorter than the reader's memory for it, never
/// longer.

#include <array>
#include <cstddef>
#include <mutex>
#include <torch/csrc/distributed/c10d/Backend.hpp>
#include <vector>

namespace stagelane::run {

using Work = c10::intrusive_ptr<c10d::Work>;

/// Operations of one thread that another thread can end.
class Abortable {
 public:
  /// Waits for the end of an operation; false if `abort` ended it. Throws what Gloo throws.
  bool wait(const Work& work);
  /// @thread any; does not block
  void abort();

 private:
  std::mutex m_mutex;  ///< guards both
  Work m_current;
  bool m_aborted = false;
};

inline constexpr std::size_t kFrameBytes = 32 * 1024;
/// Frames that a reader has asked for and not read.
inline constexpr std::size_t kFramesAhead = 16;

/// Reads the frames of one peer in their order. @thread one
class FrameReader {
 public:
  /// The peer's messages with this tag belong to this object from here on. `waits` outlives it. May
  /// throw, as `next` may.
  FrameReader(c10d::Backend& backend, int from, int tag, Abortable& waits);

  /// The next frame, valid until the call after it: kFrameBytes bytes, of which the peer has sent
  /// the first ones. Null if `waits` was aborted. @thread blocks
  [[nodiscard]] const std::byte* next();

 private:
  void askFor(std::size_t slot);

  c10d::Backend& m_backend;
  int m_from;
  int m_tag;
  Abortable& m_waits;
  std::vector<std::byte> m_memory;
  std::array<Work, kFramesAhead> m_asked;
  std::size_t m_reads = 0;  ///< frames handed out
};

}  // namespace stagelane::run
