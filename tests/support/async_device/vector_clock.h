#pragma once

/// How much of each stream's work is known to be done before a point: the entry of a stream is the
/// number of its last task that is. Two accesses are ordered if the later one's clock covers the
/// earlier one.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace stagelane::async_device {

class VectorClock {
 public:
  void join(const VectorClock& other) {
    if (m_done.size() < other.m_done.size()) m_done.resize(other.m_done.size());
    for (std::size_t i = 0; i < other.m_done.size(); ++i) {
      m_done[i] = std::max(m_done[i], other.m_done[i]);
    }
  }
  /// Counts one more task of `stream`. Returns its number, from 1.
  std::uint64_t advance(std::size_t stream) {
    if (m_done.size() <= stream) m_done.resize(stream + 1);
    return ++m_done[stream];
  }
  [[nodiscard]] bool covers(std::size_t stream, std::uint64_t task) const {
    return stream < m_done.size() && m_done[stream] >= task;
  }

 private:
  std::vector<std::uint64_t> m_done;
};

}  // namespace stagelane::async_device
