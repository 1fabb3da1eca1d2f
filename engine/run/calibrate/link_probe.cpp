#include "engine/run/calibrate/link_probe.h"

#include <ATen/ops/empty.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "engine/base/quantile.h"
#include "engine/run/calibrate/calibration_samples.h"
#include "engine/run/step/exchange.h"

namespace stagelane::run {
namespace {

constexpr Bytes kSmall = 4 << 10;
constexpr Bytes kLarge = 16 << 20;
constexpr int kTimes = 21;

bool areCpus(Worker& from, Worker& to) {
  return from.backend().torchDevice().is_cpu() && to.backend().torchDevice().is_cpu();
}

Parcels parcelsOf(Parcel parcel) {
  Parcels parcels;
  parcels.push_back(std::move(parcel));
  return parcels;
}

/// Ends the other side's waits if `body` fails.
std::function<Status()> side(const Worker& worker, RunControl& control,
                             std::function<Status()> body) {
  return [&worker, &control, body = std::move(body)]() -> Status {
    Status status = guarded(worker.name(), body);
    if (!status) control.fail(status.error());
    return status;
  };
}

Result<Parcel> taken(Exchange& exchange, const ParcelKey& key, const RunControl& control,
                     const Worker& from) {
  std::optional<Parcels> parcels = exchange.take(key, control);
  if (!parcels) return fail(ErrorCode::EngineFailure, "nothing arrived from " + from.name());
  return std::move(parcels->front());
}

/// Time from when a tensor of this size is ready at the sender until the receiver's next work can
/// begin. Between CPU workers, which have one clock, it is the way there. Otherwise kSmall bytes of
/// the tensor come back, and the time ends when the sender's next work can begin, so that it begins
/// and ends on the sender's clock: the clocks of two devices agree only to the time of a launch,
/// which is as long as a latency.
Result<TimeNs> once(Worker& from, Worker& to, Bytes bytes) {
  const bool oneClock = areCpus(from, to);
  Exchange exchange(2, 1, 2);
  RunControl control(nullptr);
  const ParcelKey there{Direction::Forward, StageId{1}, MicroBatchId{0}};
  const ParcelKey back{Direction::Backward, StageId{0}, MicroBatchId{0}};
  std::shared_ptr<Marker> ready, usable;
  std::atomic<bool> waiting{false};
  auto received = to.submit(side(to, control, [&]() -> Status {
    waiting = true;
    STAGELANE_TRY(parcel, taken(exchange, there, control, from));
    const at::Tensor tensor = to.backend().receive(*parcel, {});
    if (oneClock) {
      usable = to.backend().mark();
    } else {
      const at::Tensor reply = tensor.narrow(0, 0, kSmall);
      exchange.put(back, parcelsOf(to.backend().send(reply, from.backend())));
    }
    return {};
  }));
  auto sent = from.submit(side(from, control, [&]() -> Status {
    const at::Tensor tensor =
        at::empty({bytes}, at::TensorOptions(at::kByte).device(from.backend().torchDevice()));
    while (!waiting) std::this_thread::yield();
    // Lets the receiver fall asleep, like a stage that waits for its tensor.
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    ready = from.backend().mark();
    exchange.put(there, parcelsOf(from.backend().send(tensor, to.backend())));
    if (oneClock) return {};
    STAGELANE_TRY(parcel, taken(exchange, back, control, to));
    static_cast<void>(from.backend().receive(*parcel, {}));
    usable = from.backend().mark();
    return {};
  }));
  const Status ends[] = {sent.get(), received.get()};
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
  // The run tells the user about broken copies.
  static_cast<void>(from.backend().prepareTransfer(to.backend()));
  static_cast<void>(to.backend().prepareTransfer(from.backend()));
  STAGELANE_TRY(small, medianOf(from, to, kSmall));
  if (areCpus(from, to)) {
    link.latencyNs = static_cast<TimeNs>(*small);
    return link;
  }
  STAGELANE_TRY(large, medianOf(from, to, kLarge));
  // Only the way there differs, so this is the rate of this direction. The latency is the mean of
  // both directions: one clock cannot tell them apart.
  const double seconds = std::max(1.0, *large - *small) * 1e-9;
  link.bytesPerSecond = static_cast<double>(kLarge - kSmall) / seconds;
  const double alpha = *small / 2.0 - 1e9 * static_cast<double>(kSmall) / link.bytesPerSecond;
  link.latencyNs = static_cast<TimeNs>(std::max(0.0, alpha));
  return link;
}

}  // namespace stagelane::run
