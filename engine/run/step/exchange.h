#pragma once

/// Where the rows of a step leave boundary tensors for each other. A row that takes waits until its
/// tensor is there or the run stops. One exchange per executor;
/// it moves parcels, the devices move the data.

#include <condition_variable>
#include <mutex>
#include <optional>
#include <vector>

#include "engine/run/device/backend.h"
#include "engine/run/step/run_control.h"

namespace stagelane::run {

/// All boundary tensors of one (stage, micro-batch), in the order of the block's outputs.
using Parcels = std::vector<Parcel>;

/// Forward and Backward: boundary tensors. Weights: the gradients that a stage has for the
/// parameters it shares with others.
enum class Direction { Forward, Backward, Weights };

/// Names a parcel: boundary tensors by the stage that takes them and the micro-batch, gradients of
/// shared weights by the stage that made them and the row that takes them.
struct ParcelKey {
  Direction direction = Direction::Forward;
  StageId stage;
  MicroBatchId microBatch;
  int row = 0;  ///< Weights only
};

class Exchange {
 public:
  Exchange(int stages, int microBatches, int rows);

  /// Never blocks. @thread any
  void put(const ParcelKey& key, Parcels parcels);

  /// Waits for the parcel; nothing when `control` stopped. Whoever started the step sees to it that
  /// it does when nothing happens for too long. @thread any; blocks
  [[nodiscard]] std::optional<Parcels> take(const ParcelKey& key, const RunControl& control);

  /// Drops what was never taken (after a failed step).
  void clear();

 private:
  [[nodiscard]] std::optional<Parcels>& place(const ParcelKey& key);

  int m_stages;
  int m_microBatches;
  int m_rows;
  std::mutex m_mutex;  ///< guards m_parcels
  std::condition_variable m_arrived;
  std::vector<std::optional<Parcels>> m_parcels;
};

}  // namespace stagelane::run
