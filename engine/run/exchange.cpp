#include "engine/run/detail/exchange.h"

#include <chrono>
#include <stdexcept>

namespace stagelane::run {

Exchange::Exchange(int stages, int microBatches)
    : m_microBatches(microBatches),
      m_parcels(2 * static_cast<std::size_t>(stages) * static_cast<std::size_t>(microBatches)) {}

std::optional<Parcels>& Exchange::place(const ParcelKey& key) {
  const int row = key.stage.value * 2 + (key.direction == Direction::Forward ? 0 : 1);
  return m_parcels.at(static_cast<std::size_t>(row * m_microBatches + key.microBatch.value));
}

void Exchange::put(const ParcelKey& key, Parcels parcels) {
  {
    const std::lock_guard lock(m_mutex);
    std::optional<Parcels>& where = place(key);
    if (where) {
      throw std::logic_error("a boundary tensor was sent twice");
    }
    where = std::move(parcels);
  }
  m_arrived.notify_all();
}

Exchange::Taken Exchange::take(const ParcelKey& key, const RunControl& control) {
  // How soon a waiting row sees a stop that nobody notifies it of (a signal handler cannot).
  constexpr auto kSlice = std::chrono::milliseconds(10);
  std::unique_lock lock(m_mutex);
  std::optional<Parcels>& where = place(key);
  while (!m_arrived.wait_for(lock, kSlice, [&] { return where.has_value(); })) {
    if (control.stopped()) {
      return {Waited::Stopped, {}};
    }
    if (control.quietNs() > control.stallLimitNs()) {
      return {Waited::Stalled, {}};
    }
  }
  Taken taken{Waited::Arrived, std::move(*where)};
  where.reset();
  return taken;
}

void Exchange::clear() {
  const std::lock_guard lock(m_mutex);
  for (std::optional<Parcels>& parcels : m_parcels) {
    parcels.reset();
  }
}

}  // namespace stagelane::run
