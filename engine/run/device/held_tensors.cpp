#include "engine/run/device/held_tensors.h"

#include <cstddef>

namespace stagelane::run {

void HeldTensors::hold(at::Tensor tensor, std::shared_ptr<Marker> done) {
  const std::lock_guard<std::mutex> lock(m_mutex);
  m_held.emplace_back(std::move(tensor), std::move(done));
}

void HeldTensors::releaseReached() {
  const std::lock_guard<std::mutex> lock(m_mutex);
  for (std::size_t i = 0; i < m_held.size();) {
    if (m_held[i].second->reached()) {
      m_held.erase(m_held.begin() + static_cast<std::ptrdiff_t>(i));
    } else {
      ++i;
    }
  }
}

}  // namespace stagelane::run
