#include "engine/run/step/exchange.h"

#include <chrono>
#include <stdexcept>
#include <utility>

namespace stagelane::run {

Exchange::Exchange(int stages, int microBatches, int rows)
    : m_stages(stages),
      m_microBatches(microBatches),
      m_rows(rows),
      m_parcels(static_cast<std::size_t>(stages) *
                static_cast<std::size_t>(2 * microBatches + rows)) {}

std::optional<Parcels>& Exchange::place(const ParcelKey& key) {
  if (key.direction == Direction::Weights) {
    const int before = 2 * m_stages * m_microBatches;
    return m_parcels.at(static_cast<std::size_t>(before + key.stage.value * m_rows + key.row));
  }
  const int line = key.stage.value * 2 + (key.direction == Direction::Forward ? 0 : 1);
  return m_parcels.at(static_cast<std::size_t>(line * m_microBatches + key.microBatch.value));
}

void Exchange::put(const ParcelKey& key, Parcels parcels) {
  {
    const std::lock_guard lock(m_mutex);
    std::optional<Parcels>& where = place(key);
    if (where) throw std::logic_error("a parcel was sent twice");
    where = std::move(parcels);
  }
  m_arrived.notify_all();
}

std::optional<Parcels> Exchange::take(const ParcelKey& key, const RunControl& control) {
  // Polling interval for a stop request from a signal handler, which cannot notify.
  constexpr auto kSlice = std::chrono::milliseconds(10);
  std::unique_lock lock(m_mutex);
  std::optional<Parcels>& where = place(key);
  while (!m_arrived.wait_for(lock, kSlice, [&] { return where.has_value(); })) {
    if (control.stopped()) return std::nullopt;
  }
  return std::exchange(where, std::nullopt);
}

void Exchange::clear() {
  const std::lock_guard lock(m_mutex);
  for (std::optional<Parcels>& parcels : m_parcels) parcels.reset();
}

}  // namespace stagelane::run
