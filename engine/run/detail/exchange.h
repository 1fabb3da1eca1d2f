#pragma once

/// Where the rows of a step leave boundary tensors for each other. A row that takes waits until its
/// tensor is there, the run stops, or nothing has happened for too long. One exchange per executor;
/// it moves parcels, the devices move the data.

#include <condition_variable>
#include <mutex>
#include <optional>
#include <vector>

#include "engine/run/detail/backend.h"
#include "engine/run/detail/run_control.h"

namespace stagelane::run {

/// All boundary tensors of one (stage, micro-batch), in the order of the block's outputs.
using Parcels = std::vector<Parcel>;

enum class Direction { Forward, Backward };

/// Names a parcel by the stage that takes it.
struct ParcelKey {
  Direction direction = Direction::Forward;
  StageId stage;
  MicroBatchId microBatch;
};

class Exchange {
 public:
  Exchange(int stages, int microBatches);

  /// Never blocks. @thread any
  void put(const ParcelKey& key, Parcels parcels);

  enum class Waited { Arrived, Stopped, Stalled };
  struct Taken {
    Waited how = Waited::Stopped;
    Parcels parcels;
  };
  /// Waits for the parcel. @thread any; blocks until it came, `control` stopped, or the stall limit
  [[nodiscard]] Taken take(const ParcelKey& key, const RunControl& control);

  /// Drops what was never taken (after a failed step).
  void clear();

 private:
  [[nodiscard]] std::optional<Parcels>& place(const ParcelKey& key);

  int m_microBatches;
  std::mutex m_mutex;  ///< guards m_parcels
  std::condition_variable m_arrived;
  std::vector<std::optional<Parcels>> m_parcels;
};

}  // namespace stagelane::run
