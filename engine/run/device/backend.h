#pragma once

/// The device operations of the executor, independent of the device kind: prepare the worker's
/// thread, detect completion, move a boundary tensor. CPU workers share storage at a boundary (no
/// copy); GPUs copy on a copy stream between events.

#include <ATen/core/Tensor.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/ids.h"
#include "engine/base/result.h"
#include "engine/plan/device.h"

namespace stagelane::run {

/// Whether a wait should end early, because the run failed or was canceled. May be empty: never.
using StopCheck = std::function<bool()>;

/// A point in a device's work, recorded on the compute stream; cheap to create.
class Marker {
 public:
  virtual ~Marker() = default;
  /// Monotonic nanoseconds of that point. @pre the device was synchronized since
  [[nodiscard]] virtual TimeNs timeNs() const = 0;
  /// Whether the device has reached that point. @thread any
  [[nodiscard]] virtual bool reached() const { return true; }
  /// Blocks until the device has reached that point; false if `stopped` ended the wait.
  /// @thread any
  [[nodiscard]] virtual bool wait(const StopCheck& /*stopped*/) const { return true; }
};

/// A boundary tensor in transit: `ready` on the sender, taken by the receiver's thread.
struct Parcel {
  at::Tensor tensor;                  ///< on the sender's device, later on the receiver's
  std::shared_ptr<Marker> sendStart;  ///< when the data was ready at the sender
  std::shared_ptr<Marker> arrived;    ///< when it can be used at the receiver
  std::shared_ptr<void> keepAlive;    ///< events and source storage
  /// The tensor's sizes, if values that it repeats in memory (stride 0) travel only once.
  std::vector<std::int64_t> repeatedTo;
};
/// Makes `parcel.tensor` ready to be copied: without repeated values. Operators choose their
/// kernels by strides, so a copy that wrote the repeats out could change last bits.
void leaveOutRepeats(Parcel& parcel);
/// The tensor that has arrived, with its repeats.
[[nodiscard]] at::Tensor unpacked(Parcel& parcel);

class Backend {
 public:
  virtual ~Backend() = default;
  [[nodiscard]] virtual at::Device torchDevice() const = 0;
  /// Called once in the worker's thread: thread counts, streams, grad mode, allocation owner.
  virtual void enterThread() = 0;
  virtual void leaveThread() = 0;
  /// The current point of the compute stream (CPU: the current time).
  [[nodiscard]] virtual std::shared_ptr<Marker> mark() = 0;
  /// Waits until all queued work is done, for ever if the device is stuck. @thread any
  virtual void synchronize() = 0;
  /// Sender's thread: starts moving `tensor` to `receiver`.
  [[nodiscard]] virtual Parcel send(const at::Tensor& tensor, Backend& receiver) = 0;
  /// Receiver's thread: makes the compute stream wait for the data and returns it; undefined if
  /// `stopped` ended a wait. Sets the parcel's `arrived` if the receiver moves the data.
  [[nodiscard]] virtual at::Tensor receive(Parcel& parcel, const StopCheck& stopped) = 0;
  /// Prepares and checks transfers to `receiver`; later calls only repeat the remark. Returns a
  /// remark for the user (such as a broken peer copy), else ""; nothing if `stopped` ended a wait.
  /// @thread any, while no worker works
  [[nodiscard]] virtual std::optional<std::string> prepareTransfer(Backend& /*receiver*/,
                                                                   const StopCheck& /*stopped*/) {
    return std::string();
  }
  /// A remark about this device for the user (such as a partition's size), else "".
  [[nodiscard]] virtual std::string remark() const { return {}; }
  /// Peak use since the last reset, including memory that was freed while another stream still
  /// used it. Partitions of a GPU share the GPU's value.
  [[nodiscard]] virtual Bytes peakBytes() const = 0;
  virtual void resetPeakBytes() = 0;
  /// Current use. Partitions of a GPU share the GPU's value.
  [[nodiscard]] virtual Bytes liveBytes() const = 0;
  /// The device's memory (CPU workers: the host's); 0 if unknown.
  [[nodiscard]] virtual Bytes memoryBytes() const = 0;
  /// Returns cached blocks of the device to the system.
  virtual void releaseCache() = 0;
  /// Total bytes that the device's allocator has fetched from the device, because no cached block
  /// fitted. 0 for CPU workers: the host's allocator counts them all together (fetchedBytes()).
  [[nodiscard]] virtual Bytes fetchedFromDevice() const { return 0; }
  /// Sets the device's memory limit, 0 for none; larger allocations throw c10::OutOfMemoryError.
  virtual void setMemoryLimit(Bytes limit) = 0;
};

struct BackendOptions {
  int threads = 1;    ///< CPU workers
  int owner = 0;      ///< accounting owner of a CPU worker, unique in the run (1 …)
  bool pin = false;   ///< pin a CPU worker to its cores
  int firstCore = 0;  ///< if pinned
};
/// Creates a CPU worker, a GPU, or a partition of a GPU, depending on `id`.
/// @errors DeviceMissing, Invalid
[[nodiscard]] Result<std::unique_ptr<Backend>> makeBackend(const DeviceId& id,
                                                           const BackendOptions& options);

}  // namespace stagelane::run
