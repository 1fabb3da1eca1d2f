#pragma once

/// Passes boundary tensors between the rows of a step. A receiving row waits until its tensor is
/// available or the run stops. One exchange per executor; it stores parcels, and the devices move
/// the data.

#include <condition_variable>
#include <mutex>
#include <optional>
#include <vector>

#include "engine/run/device/backend.h"
#include "engine/run/step/run_control.h"
#include "engine/schedule/stage_rows.h"

namespace stagelane::run {

/// All boundary tensors of one (stage, micro-batch), in the order of the block's outputs.
using Parcels = std::vector<Parcel>;

/// Forward and Backward: boundary tensors. The others are of a copy of a stage: gradients of
/// parameters that several stages share, gradients to be added to those of other replicas, and the
/// sums.
enum class Direction { Forward, Backward, Shared, Gradients, Sums };

/// Identifies a parcel: boundary tensors by the receiving stage and the micro-batch, weight
/// gradients by the producing copy and the receiving row.
struct ParcelKey {
  Direction direction = Direction::Forward;
  StageId stage;
  MicroBatchId microBatch;
  int copy = 0;  ///< schedule::StageRows::copyOn; weight gradients only
  int row = 0;   ///< weight gradients only
};

class RemoteRows;

/// The number of places in an exchange.
struct ExchangeSize {
  int stages = 0;
  int microBatches = 0;
  int copies = 0;  ///< of stages
  int rows = 0;
};

class Exchange {
 public:
  explicit Exchange(const ExchangeSize& size);
  /// For a step with rows in other processes: parcels for those are passed on to `remote`, which
  /// may be null and outlives the exchange.
  Exchange(const schedule::StageRows& rows, int microBatches, RemoteRows* remote);

  /// Never blocks. @thread any
  void put(const ParcelKey& key, Parcels parcels);

  /// Waits for the parcel; empty if `control` stopped. The caller of the step must stop `control`
  /// after a stall. @thread any; blocks
  [[nodiscard]] std::optional<Parcels> take(const ParcelKey& key, const RunControl& control);

  /// Drops parcels that were not taken (after a failed step).
  void clear();

 private:
  [[nodiscard]] int takerOf(const ParcelKey& key) const;
  [[nodiscard]] std::optional<Parcels>& place(const ParcelKey& key);

  ExchangeSize m_size;
  schedule::StageRows m_stageRows;
  RemoteRows* m_remote = nullptr;
  std::mutex m_mutex;  ///< guards m_parcels
  std::condition_variable m_arrived;
  std::vector<std::optional<Parcels>> m_parcels;
};

}  // namespace stagelane::run
