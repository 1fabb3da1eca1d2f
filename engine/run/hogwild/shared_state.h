#pragma once

/// What the processes of a Hogwild variant share: parameters and buffers, the batches, the document
/// that they read, and what they tell each other. Everything that changes is a lock-free word or
/// belongs to one process, so that a killed process blocks nobody. Contains no logic.
///
/// @source the parameters without locks: Recht et al., Hogwild!, NIPS 2011, arXiv:1106.5730

#include <ATen/core/Tensor.h>

#include <array>
#include <atomic>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/base/failure.h"
#include "engine/base/result.h"
#include "engine/run/hogwild/shared_memory.h"
#include "engine/run/step/data.h"
#include "engine/run/step/tensors.h"

namespace stagelane::run {

/// Values of staleness that are counted one by one; larger ones share the last place.
inline constexpr std::size_t kStalenessCounts = 4096;
/// The last updates, whose times are kept.
inline constexpr std::size_t kTimedUpdates = 2000;
/// Losses that are kept of a repeat; of more updates every n-th.
inline constexpr std::int64_t kMostLosses = 1 << 20;

/// Fixed numbers, and the state of a round. A round is a repeat: all processes start together and
/// train until the updates are made.
struct SharedHeader {
  std::int64_t processes = 0;
  std::int64_t updates = 0;     ///< of all processes in a round
  std::int64_t lossStride = 1;  ///< the losses of updates with a number n × lossStride are kept
  std::int64_t tensors = 0;     ///< parameters and buffers; the batches' tensors follow
  std::int64_t batches = 0;
  std::int64_t documentBytes = 0;

  std::atomic<std::uint32_t> round;   ///< the round to prepare, from 1; a futex
  std::atomic<std::uint32_t> go;      ///< the round to train; a futex
  std::atomic<std::int32_t> repeat;   ///< of the round, for the order of the data
  std::atomic<bool> stop;             ///< end the round at the next update
  std::atomic<bool> quit;             ///< end the process
  std::atomic<std::int64_t> claimed;  ///< updates that were begun
  std::atomic<std::int64_t> done;     ///< updates that were made
};

/// An error as plain bytes.
struct SharedError {
  std::atomic<std::int32_t> code;  ///< of ErrorCode; 0: none. Written last
  std::int32_t kind = 0;           ///< of FailureKind
  std::array<char, 1024> message{};
  std::array<char, 256> hint{};
};

/// What one process tells. Only this process writes it, except for reset().
struct alignas(64) WorkerSlot {
  std::atomic<std::uint32_t> ready;     ///< the last round that it has prepared
  std::atomic<std::uint32_t> ended;     ///< the last round that it has ended
  std::atomic<std::int64_t> beats;      ///< changes while the process works
  std::atomic<std::int64_t> longestNs;  ///< longest update
  std::atomic<std::int64_t> lastNs;     ///< end of its last update, monotonic
  std::atomic<std::int64_t> updates;    ///< of the round
  std::atomic<std::int64_t> peakBytes;  ///< of its own memory
  std::atomic<std::int64_t> mostStale;  ///< largest staleness of the round
  std::array<std::atomic<std::uint32_t>, kStalenessCounts> staleness;
  SharedError error;
};

/// The loss of an update, and who made it.
struct LossRecord {
  std::atomic<std::int32_t> writer;  ///< process + 1; 0: not written. Written last
  float loss = 0.0F;
};

/// The times of an update, monotonic.
struct TimedUpdate {
  std::atomic<std::int64_t> number;  ///< of the round, from 1; 0: not written. Written last
  TimeNs startNs = 0;
  TimeNs lossNs = 0;
  TimeNs backwardNs = 0;
  TimeNs optimizerNs = 0;
  TimeNs endNs = 0;
  std::int32_t process = 0;
};

class SharedState {
 public:
  /// What the memory is made of. The document is for the processes.
  struct Content {
    const model::Model& model;
    plan::MemoryFormat format;
    const InitialValues& values;
    const std::vector<Batch>& batches;
    std::int64_t processes = 1;
    std::int64_t updates = 1;
    std::string document;
  };
  /// @errors OutOfMemory, EngineFailure
  [[nodiscard]] static Result<std::shared_ptr<SharedState>> create(const Content& content);
  /// @errors EngineFailure
  [[nodiscard]] static Result<std::shared_ptr<SharedState>> open(int descriptor);

  [[nodiscard]] SharedHeader& header() const;
  [[nodiscard]] WorkerSlot& slot(int process) const;
  [[nodiscard]] std::span<LossRecord> losses() const;
  [[nodiscard]] std::span<TimedUpdate> timed() const;
  [[nodiscard]] std::string document() const;
  [[nodiscard]] int descriptor() const { return m_memory.descriptor(); }

  /// Parameters and buffers by name, as tensors over the shared memory. Every call makes new
  /// tensors, with version counters of their own: an update of another thread must not fail a
  /// backward. The state outlives them.
  [[nodiscard]] InitialValues views(const model::Model& model) const;
  [[nodiscard]] Batch batch(std::size_t index) const;
  /// Bytes of parameters and buffers.
  [[nodiscard]] Bytes tensorBytes() const;

  /// Sets the initial values and clears what a round tells. @pre no process trains
  void reset(const model::Model& model, const InitialValues& values) const;

 private:
  /// Places of the parts, in bytes from the start.
  struct Parts {
    std::size_t slots = 0, losses = 0, timed = 0, places = 0, tensors = 0;
  };
  explicit SharedState(SharedMemory memory) : m_memory(std::move(memory)) {}
  static Parts partsOf(const SharedHeader& header);
  [[nodiscard]] at::Tensor view(std::size_t index) const;

  SharedMemory m_memory;
};

/// Keeps the first error of a process. @thread the process
void report(WorkerSlot& slot, const Error& error);
/// The error that a process has reported, if any.
[[nodiscard]] std::optional<Error> reportedBy(const WorkerSlot& slot);

}  // namespace stagelane::run
