#include "engine/run/step/exchange.h"

#include <chrono>
#include <stdexcept>
#include <utility>

#include "engine/run/step/remote_rows.h"

namespace stagelane::run {

Exchange::Exchange(const ExchangeSize& size)
    : m_size(size),
      m_parcels(static_cast<std::size_t>(2 * size.stages * size.microBatches +
                                         3 * size.copies * size.rows)) {}

Exchange::Exchange(const schedule::StageRows& rows, int microBatches, RemoteRows* remote)
    : Exchange(ExchangeSize{rows.stages(), microBatches, rows.copies(), rows.rows()}) {
  m_stageRows = rows;
  m_remote = remote;
}

/// The row that takes the parcel.
int Exchange::takerOf(const ParcelKey& key) const {
  const bool boundary = key.direction == Direction::Forward || key.direction == Direction::Backward;
  return boundary ? m_stageRows.of(key.stage.value, key.microBatch.value) : key.row;
}

std::optional<Parcels>& Exchange::place(const ParcelKey& key) {
  const auto direction = static_cast<int>(key.direction);
  if (key.direction != Direction::Forward && key.direction != Direction::Backward) {
    const int before = 2 * m_size.stages * m_size.microBatches;
    const int line = (direction - static_cast<int>(Direction::Shared)) * m_size.copies + key.copy;
    return m_parcels.at(static_cast<std::size_t>(before + line * m_size.rows + key.row));
  }
  const int line = key.stage.value * 2 + direction;
  return m_parcels.at(static_cast<std::size_t>(line * m_size.microBatches + key.microBatch.value));
}

void Exchange::put(const ParcelKey& key, Parcels parcels) {
  if (m_remote != nullptr && m_remote->isRemote(takerOf(key))) {
    return m_remote->send(takerOf(key), key, std::move(parcels));
  }
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
