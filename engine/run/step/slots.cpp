#include "engine/run/step/slots.h"

#include <algorithm>

namespace stagelane::run {

Slots::Slots(int stages, int microBatches)
    : m_microBatches(microBatches),
      m_slots(static_cast<std::size_t>(stages) * static_cast<std::size_t>(microBatches)) {}

Slot& Slots::of(int stage, int microBatch) {
  return m_slots.at(static_cast<std::size_t>(stage * m_microBatches + microBatch));
}

int Slots::live() const {
  return static_cast<int>(
      std::count_if(m_slots.begin(), m_slots.end(), [](const Slot& each) { return each.live; }));
}

void Slots::clear() {
  for (Slot& each : m_slots) each = Slot{};
}

}  // namespace stagelane::run
