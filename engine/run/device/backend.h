#pragma once

/// What the executor needs of a device, so that it never asks whether it is a CPU worker or a GPU:
/// prepare the worker's thread, know when work is done, move a boundary tensor. CPU workers share
/// storage at a boundary (no copy); GPUs copy on a copy stream between events.

#include <ATen/core/Tensor.h>

#include <functional>
#include <memory>
#include <string>

#include "engine/base/ids.h"
#include "engine/base/result.h"
#include "engine/plan/device.h"

namespace stagelane::run {

/// A point in a device's work: recorded on the compute stream, cheap to make.
class Marker {
 public:
  virtual ~Marker() = default;
  /// Monotonic nanoseconds of that point. @pre the device was synchronised since
  [[nodiscard]] virtual TimeNs timeNs() const = 0;
  /// Blocks until the device has reached that point. @thread any
  virtual void wait() const {}
};

/// A boundary tensor under way: `ready` on the sender, taken by the receiver's thread.
struct Parcel {
  at::Tensor tensor;                  ///< on the sender's device, later on the receiver's
  std::shared_ptr<Marker> sendStart;  ///< when the data was ready at the sender
  std::shared_ptr<Marker> arrived;    ///< when it could be used at the receiver
  std::shared_ptr<void> keepAlive;    ///< events and source storage
};

class Backend {
 public:
  virtual ~Backend() = default;
  [[nodiscard]] virtual at::Device torchDevice() const = 0;
  /// Called once in the worker's thread: thread counts, streams, grad mode, allocation owner.
  virtual void enterThread() = 0;
  virtual void leaveThread() = 0;
  /// The present point of the compute stream (CPU: the clock now).
  [[nodiscard]] virtual std::shared_ptr<Marker> mark() = 0;
  /// Waits until everything queued is done. @thread any
  virtual void synchronize() = 0;
  /// Sender's thread: starts moving `tensor` to `receiver`.
  [[nodiscard]] virtual Parcel send(const at::Tensor& tensor, Backend& receiver) = 0;
  /// Receiver's thread: makes the compute stream wait for the data and returns it.
  [[nodiscard]] virtual at::Tensor receive(Parcel& parcel) = 0;
  /// Readies and checks transfers to `receiver`, once before a run's first step. What a person
  /// should know about them (a peer copy that does not work, say), else "".
  /// @thread any, while no worker works
  [[nodiscard]] virtual std::string prepareTransfer(Backend& /*receiver*/) { return {}; }
  /// What a person should know about this device (a partition's size, say), else "".
  [[nodiscard]] virtual std::string remark() const { return {}; }
  /// Highest use since the last reset. Partitions of a GPU share one figure: that of the GPU.
  [[nodiscard]] virtual Bytes peakBytes() const = 0;
  virtual void resetPeakBytes() = 0;
  /// In use now. Partitions of a GPU share one figure: that of the GPU.
  [[nodiscard]] virtual Bytes liveBytes() const = 0;
  /// Bytes this device may use, 0 for no limit; beyond it allocations throw c10::OutOfMemoryError.
  virtual void setMemoryLimit(Bytes limit) = 0;
};

struct BackendOptions {
  int threads = 1;    ///< CPU workers
  int owner = 0;      ///< accounting owner of a CPU worker, unique in the run (1 …)
  bool pin = false;   ///< pin a CPU worker to its cores
  int firstCore = 0;  ///< when pinned
};
/// A CPU worker, a GPU, or a partition of a GPU (which of them `id` says).
/// @errors DeviceMissing, Invalid
[[nodiscard]] Result<std::unique_ptr<Backend>> makeBackend(const DeviceId& id,
                                                           const BackendOptions& options);

}  // namespace stagelane::run
