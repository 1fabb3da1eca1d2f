#include "engine/run/calibrate/link_probe.h"

#include <ATen/ops/empty.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "engine/base/quantile.h"
#include "engine/run/calibrate/calibration_samples.h"
#include "engine/run/step/exchange.h"

namespace stagelane::run {
namespace {

constexpr Bytes kSmall = 4 << 10;
constexpr Bytes kLarge = 16 << 20;
constexpr int kTimes = 21;

/// Time of one tensor of this size, from when it is ready at the sender until the receiver's next
/// work can begin.
Result<TimeNs> once(Worker& from, Worker& to, Bytes bytes) {
  Exchange exchange(2, 1, 2);
  RunControl control(nullptr);
  const ParcelKey key{Direction::Forward, StageId{1}, MicroBatchId{0}};
  std::shared_ptr<Marker> ready, usable;
  std::atomic<bool> waiting{false};
  auto received = to.submit([&]() -> Status {
    waiting = true;
    std::optional<Parcels> parcels = exchange.take(key, control);
    if (!parcels) return fail(ErrorCode::EngineFailure, "nothing arrived from " + from.name());
    const at::Tensor tensor = to.backend().receive(parcels->front());
    usable = to.backend().mark();
    return {};
  });
  auto sent = from.submit([&]() -> Status {
    const at::Tensor tensor =
        at::empty({bytes}, at::TensorOptions(at::kByte).device(from.backend().torchDevice()));
    while (!waiting) std::this_thread::yield();
    // Lets the receiver fall asleep, like a stage that waits for its tensor.
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    ready = from.backend().mark();
    Parcels parcels;
    parcels.push_back(from.backend().send(tensor, to.backend()));
    exchange.put(key, std::move(parcels));
    return {};
  });
  const Status sendEnd = sent.get();
  if (!sendEnd) control.fail(sendEnd.error());
  const Status ends[] = {sendEnd, received.get()};
  for (const Status& end : ends) STAGELANE_CHECK(end);
  from.backend().synchronize();
  to.backend().synchronize();
  return std::max<TimeNs>(0, usable->timeNs() - ready->timeNs());
}

Result<double> medianOf(Worker& from, Worker& to, Bytes bytes) {
  std::vector<double> times;
  for (int i = 0; i <= kTimes; ++i) {
    STAGELANE_TRY(time, once(from, to, bytes));
    // Skip the first measurement, which is cold.
    if (i > 0) times.push_back(static_cast<double>(*time));
  }
  return quantile(times, 0.5);
}

}  // namespace

Result<predict::LinkCost> measureLink(Worker& from, Worker& to) {
  predict::LinkCost link{DeviceId{from.name()}, DeviceId{to.name()}, 0, 0.0};
  const std::string remark = from.backend().prepareTransfer(to.backend());
  STAGELANE_TRY(small, medianOf(from, to, kSmall));
  link.latencyNs = static_cast<TimeNs>(*small);
  const bool shared = from.backend().torchDevice().is_cpu() && to.backend().torchDevice().is_cpu();
  if (shared) return link;
  STAGELANE_TRY(large, medianOf(from, to, kLarge));
  const double seconds = std::max(1.0, *large - *small) * 1e-9;
  link.bytesPerSecond = static_cast<double>(kLarge - kSmall) / seconds;
  const double alpha = *small - 1e9 * static_cast<double>(kSmall) / link.bytesPerSecond;
  link.latencyNs = static_cast<TimeNs>(std::max(0.0, alpha));
  return link;
}

}  // namespace stagelane::run
