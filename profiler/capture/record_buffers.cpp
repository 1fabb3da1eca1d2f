#include "profiler/capture/record_buffers.h"

#include <exception>
#include <utility>

namespace stagelane::capture::detail {

bool RecordBuffers::open(Read read, std::size_t most) {
  const std::lock_guard<std::mutex> lock(m_mutex);
  if (m_recording) return false;
  m_closing = false;
  m_read = std::move(read);
  m_records.emplace(most);
  m_reader = std::thread([this] { readAll(*m_records); });
  m_recording = true;
  return true;
}

std::uint8_t* RecordBuffers::takeEmpty() {
  {
    const std::lock_guard<std::mutex> lock(m_mutex);
    if (!m_empty.empty()) {
      std::uint8_t* const bytes = m_empty.back().release();
      m_empty.pop_back();
      return bytes;
    }
  }
  return static_cast<std::uint8_t*>(std::aligned_alloc(kAlignment, kBytes));
}

void RecordBuffers::giveBack(std::uint8_t* bytes, std::size_t validSize) {
  Full full{Buffer(bytes), validSize};
  {
    const std::lock_guard<std::mutex> lock(m_mutex);
    if (!m_recording || m_closing) return;
    m_full.push_back(std::move(full));
  }
  m_changed.notify_all();
}

void RecordBuffers::drain() {
  std::unique_lock<std::mutex> lock(m_mutex);
  m_changed.wait(lock, [this] { return m_full.empty() && !m_reading; });
}

std::optional<KernelRecords> RecordBuffers::close() {
  {
    const std::lock_guard<std::mutex> lock(m_mutex);
    if (!m_recording) return std::nullopt;
    m_closing = true;
  }
  m_changed.notify_all();
  m_reader.join();
  const std::lock_guard<std::mutex> lock(m_mutex);
  m_recording = false;
  m_empty.clear();
  m_read = nullptr;
  return std::exchange(m_records, std::nullopt);
}

/// The reading thread: reads until close() and everything given back before it.
void RecordBuffers::readAll(KernelRecords& into) {
  std::unique_lock<std::mutex> lock(m_mutex);
  while (true) {
    m_changed.wait(lock, [this] { return m_closing || !m_full.empty(); });
    if (m_full.empty()) return;
    std::vector<Full> full = std::exchange(m_full, {});
    m_reading = true;
    lock.unlock();
    for (const Full& each : full) {
      try {
        m_read(each.bytes.get(), each.validSize, into);
      } catch (const std::exception&) {
        into.addDropped(1);  // no memory for more records
      }
    }
    lock.lock();
    for (Full& each : full) m_empty.push_back(std::move(each.bytes));
    m_reading = false;
    m_changed.notify_all();
  }
}

}  // namespace stagelane::capture::detail
