#pragma once

/// The buffers that a recorder fills with raw records, and the thread that reads them. Empty
/// buffers are handed out and full ones taken back under a lock that is held for a few
/// instructions only: the recorder asks for a buffer in the middle of a program's calls, and must
/// not wait until another buffer is read. Independent of CUPTI. Internal to profiler/capture.

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "profiler/capture/kernel_records.h"

namespace stagelane::capture::detail {

class RecordBuffers {
 public:
  static constexpr std::size_t kBytes = std::size_t{4} << 20;
  static constexpr std::size_t kAlignment = 8;

  /// Adds the records of the first `validSize` bytes. Called in the reading thread, without a lock.
  using Read = std::function<void(std::uint8_t* bytes, std::size_t validSize, KernelRecords& into)>;

  /// Starts to read full buffers, into at most `most` records of each kind. False if another
  /// recording does.
  [[nodiscard]] bool open(Read read, std::size_t most);
  /// An empty buffer of kBytes, null without memory. @thread any; does not wait for the reading
  [[nodiscard]] std::uint8_t* takeEmpty();
  /// Takes a buffer back. One that comes after close() is freed. @thread any; does not wait for the
  /// reading
  void giveBack(std::uint8_t* bytes, std::size_t validSize);
  /// Waits until all buffers that were given back have been read. @pre open
  void drain();
  /// Reads the rest and ends the recording. Empty if it was not open.
  [[nodiscard]] std::optional<KernelRecords> close();

 private:
  struct FreeBytes {
    void operator()(std::uint8_t* bytes) const { std::free(bytes); }
  };
  using Buffer = std::unique_ptr<std::uint8_t, FreeBytes>;
  struct Full {
    Buffer bytes;
    std::size_t validSize = 0;
  };

  void readAll(KernelRecords& into);

  std::mutex m_mutex;  ///< guards all members but m_records
  std::condition_variable m_changed;
  bool m_recording = false;  ///< from open() to close()
  bool m_closing = false;
  bool m_reading = false;
  std::vector<Buffer> m_empty;
  std::vector<Full> m_full;
  Read m_read;
  std::thread m_reader;
  std::optional<KernelRecords> m_records;  ///< of the reading thread until it has ended
};

}  // namespace stagelane::capture::detail
