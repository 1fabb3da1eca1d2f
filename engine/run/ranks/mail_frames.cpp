#include "engine/run/ranks/mail_frames.h"

#include <ATen/ops/from_blob.h>

#include <chrono>
#include <cstdint>

namespace stagelane::run {
namespace {

/// Time limit of a message: the peer may compute for long, and a limit that is exceeded closes the
/// connections of the whole group.
constexpr std::chrono::milliseconds kForEver = std::chrono::hours(24 * 365);

}  // namespace

bool Abortable::wait(const Work& work) {
  {
    const std::lock_guard lock(m_mutex);
    if (m_aborted) return false;
    m_current = work;
  }
  const bool ended = work->wait(kForEver);
  const std::lock_guard lock(m_mutex);
  m_current.reset();
  return ended && !m_aborted;
}

void Abortable::abort() {
  const std::lock_guard lock(m_mutex);
  m_aborted = true;
  if (m_current) m_current->abort();
}

FrameReader::FrameReader(c10d::Backend& backend, int from, int tag, Abortable& waits)
    : m_backend(backend),
      m_from(from),
      m_tag(tag),
      m_waits(waits),
      m_memory(kFramesAhead * kFrameBytes) {
  for (std::size_t slot = 0; slot < kFramesAhead; ++slot) askFor(slot);
}

void FrameReader::askFor(std::size_t slot) {
  std::vector<at::Tensor> frame{at::from_blob(m_memory.data() + slot * kFrameBytes,
                                              {static_cast<std::int64_t>(kFrameBytes)}, at::kByte)};
  m_asked[slot] = m_backend.recv(frame, m_from, m_tag);
}

const std::byte* FrameReader::next() {
  if (m_reads > 0) askFor((m_reads - 1) % kFramesAhead);
  const std::size_t slot = m_reads % kFramesAhead;
  if (!m_waits.wait(m_asked[slot])) return nullptr;
  ++m_reads;
  return m_memory.data() + slot * kFrameBytes;
}

}  // namespace stagelane::run
