#include "tests/support/async_device/copies.h"

#include <ATen/core/LegacyTypeDispatch.h>
#include <c10/core/DeviceGuard.h>

#include <utility>

#include "tests/support/async_device/faults.h"
#include "tests/support/async_device/memory.h"
#include "tests/support/async_device/scheduler.h"
#include "tests/support/async_device/streams.h"
#include "tests/support/async_device/tensor_view.h"
#include "tests/support/async_device/usage.h"

namespace stagelane::async_device {
namespace {

void push(const c10::Stream& stream, const char* name, const std::vector<Access>& accesses,
          std::function<void()> body) {
  const Scheduler::Lock lock = scheduler().lock();
  scheduler().push(lock, stream, {name, TaskKind::Copy, std::move(body)}, accesses);
}

void queueCopy(const c10::Stream& stream, const char* name, const at::Tensor& from,
               const at::Tensor& to) {
  push(stream, name, {accessOf(from, AccessKind::Read), accessOf(to, AccessKind::Write)},
       [source = TensorView(from), target = TensorView(to)] {
         const at::AutoDispatchBelowADInplaceOrView below;
         target.onCpu().copy_(source.onCpu());
       });
}

/// Whether a copy between host and device is one transfer; else the host converts, on pageable
/// memory.
bool isOneTransfer(const at::Tensor& from, const at::Tensor& to) {
  return from.scalar_type() == to.scalar_type() && from.strides() == to.strides() &&
         from.is_non_overlapping_and_dense();
}

void queueCorruptCopy(const c10::Stream& stream, const at::Tensor& from, const at::Tensor& to) {
  push(stream, "copy", {accessOf(from, AccessKind::Read), accessOf(to, AccessKind::Write)},
       [target = TensorView(to)] {
         const at::AutoDispatchBelowADInplaceOrView below;
         target.onCpu().fill_(1);
       });
}

/// On the source's current stream, between barriers with the target's.
void betweenDevices(const at::Tensor& from, const at::Tensor& to) {
  const c10::Stream copies = currentStream(from.device());
  const c10::Stream other = currentStream(to.device());
  orderStreams(other, copies);
  if (from.device() != to.device() && peerCopiesAreCorrupt()) {
    queueCorruptCopy(copies, from, to);
  } else {
    queueCopy(copies, "copy", from, to);
  }
  orderStreams(copies, other);
}

void fromHost(const at::Tensor& from, const at::Tensor& to, bool nonBlocking) {
  const c10::DeviceGuard onDevice(to.device());
  const c10::Stream stream = currentStream(to.device());
  if (isPinned(from.const_data_ptr()) && isOneTransfer(from, to)) {
    queueCopy(stream, "copy from pinned memory", from, to);
    if (nonBlocking) recordUse(from.const_data_ptr(), stream);
  } else {
    push(stream, "copy from pageable memory", {accessOf(to, AccessKind::Write)},
         [staged = from.clone(), target = TensorView(to)] {
           const at::AutoDispatchBelowADInplaceOrView below;
           target.onCpu().copy_(staged);
         });
  }
  if (!nonBlocking) synchronize(stream);
}

void toHost(const at::Tensor& from, const at::Tensor& to, bool nonBlocking) {
  const c10::DeviceGuard onDevice(from.device());
  const c10::Stream stream = currentStream(from.device());
  queueCopy(stream, "copy to the host", from, to);
  if (nonBlocking && isPinned(to.const_data_ptr()) && isOneTransfer(from, to)) {
    recordUse(to.const_data_ptr(), stream);
  } else {
    synchronize(stream);
  }
}

}  // namespace

at::Tensor copyFrom(const at::Tensor& self, const at::Tensor& target, bool nonBlocking) {
  noteKernel("_copy_from");
  if (target.numel() == 0) return target;
  const at::Tensor from = self.expand_as(target);
  if (isOurs(from) && isOurs(target)) {
    betweenDevices(from, target);
  } else if (isOurs(target)) {
    fromHost(from, target, nonBlocking);
  } else {
    toHost(from, target, nonBlocking);
  }
  return target;
}

}  // namespace stagelane::async_device
