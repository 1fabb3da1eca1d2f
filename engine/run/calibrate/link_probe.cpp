#include "engine/run/calibrate/link_probe.h"

#include <ATen/ops/empty.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "engine/base/quantile.h"
#include "engine/run/calibrate/calibration_samples.h"
#include "engine/run/step/await_job.h"
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
///
/// The jobs of both sides share its ownership, because a thread may have to be abandoned in one.
class OneWay : public std::enable_shared_from_this<OneWay> {
 public:
  OneWay(Worker& from, Worker& to, Bytes bytes) : m_from(from), m_to(to), m_bytes(bytes) {}

  Result<TimeNs> run(const RunControl& control) {
    auto received = start(m_to, &OneWay::receive);
    auto sent = start(m_from, &OneWay::send);
    const Status ends[] = {await(sent, m_from, control), await(received, m_to, control)};
    for (const Status& end : ends) STAGELANE_CHECK(end);
    return std::max<TimeNs>(0, m_usable->timeNs() - m_ready->timeNs());
  }

 private:
  std::future<Status> start(Worker& worker, Status (OneWay::*side)()) {
    return worker.submit([self = shared_from_this(), &worker, side]() -> Status {
      Status status = guarded(worker.name(), [&]() -> Status {
        STAGELANE_CHECK((self.get()->*side)());
        worker.backend().synchronize();
        return {};
      });
      if (!status) self->m_control.fail(status.error());
      return status;
    });
  }

  /// The other side's waits end if this one fails.
  Status await(std::future<Status>& job, Worker& worker, const RunControl& control) {
    Status status = awaitJob(job, worker, control, control.stallLimitNs());
    if (!status) m_control.fail(status.error());
    return status;
  }

  Status receive() {
    m_waiting = true;
    STAGELANE_TRY(parcel, taken(m_exchange, kThere, m_control, m_from));
    const at::Tensor tensor = m_to.backend().receive(*parcel, stopCheck());
    if (!tensor.defined()) return stoppedAtATransfer();
    if (m_oneClock) {
      m_usable = m_to.backend().mark();
    } else {
      const at::Tensor reply = tensor.narrow(0, 0, kSmall);
      m_exchange.put(kBack, parcelsOf(m_to.backend().send(reply, m_from.backend())));
    }
    return {};
  }

  Status send() {
    const at::Tensor tensor =
        at::empty({m_bytes}, at::TensorOptions(at::kByte).device(m_from.backend().torchDevice()));
    while (!m_waiting && !m_control.stopped()) std::this_thread::yield();
    // Lets the receiver fall asleep, like a stage that waits for its tensor.
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    m_ready = m_from.backend().mark();
    m_exchange.put(kThere, parcelsOf(m_from.backend().send(tensor, m_to.backend())));
    if (m_oneClock) return {};
    STAGELANE_TRY(parcel, taken(m_exchange, kBack, m_control, m_to));
    const at::Tensor reply = m_from.backend().receive(*parcel, stopCheck());
    if (!reply.defined()) return stoppedAtATransfer();
    m_usable = m_from.backend().mark();
    return {};
  }

  static Status stoppedAtATransfer() {
    return fail(ErrorCode::EngineFailure, "stopped at a transfer");
  }
  [[nodiscard]] StopCheck stopCheck() const {
    return [this] { return m_control.stopped(); };
  }

  static inline const ParcelKey kThere{Direction::Forward, StageId{1}, MicroBatchId{0}, 0, 0};
  static inline const ParcelKey kBack{Direction::Backward, StageId{0}, MicroBatchId{0}, 0, 0};

  Worker& m_from;
  Worker& m_to;
  const Bytes m_bytes;
  const bool m_oneClock = areCpus(m_from, m_to);
  Exchange m_exchange{{2, 1, 2, 2}};
  RunControl m_control{nullptr};
  std::shared_ptr<Marker> m_ready, m_usable;
  std::atomic<bool> m_waiting{false};
};

Result<double> medianOf(Worker& from, Worker& to, Bytes bytes, const RunControl& control) {
  std::vector<double> times;
  for (int i = 0; i <= kTimes; ++i) {
    STAGELANE_TRY(time, std::make_shared<OneWay>(from, to, bytes)->run(control));
    // Skip the first measurement, which is cold.
    if (i > 0) times.push_back(static_cast<double>(*time));
  }
  return quantile(times, 0.5);
}

}  // namespace

Result<predict::LinkCost> measureLink(Worker& from, Worker& to, const RunControl& control) {
  predict::LinkCost link{DeviceId{from.name()}, DeviceId{to.name()}, 0, 0.0};
  // The run tells the user about broken copies.
  STAGELANE_CHECK(prepareTransfer(from, to, control));
  STAGELANE_CHECK(prepareTransfer(to, from, control));
  STAGELANE_TRY(small, medianOf(from, to, kSmall, control));
  if (areCpus(from, to)) {
    link.latencyNs = static_cast<TimeNs>(*small);
    return link;
  }
  STAGELANE_TRY(large, medianOf(from, to, kLarge, control));
  // Only the way there differs, so this is the rate of this direction. The latency is the mean of
  // both directions: one clock cannot tell them apart.
  const double seconds = std::max(1.0, *large - *small) * 1e-9;
  link.bytesPerSecond = static_cast<double>(kLarge - kSmall) / seconds;
  const double alpha = *small / 2.0 - 1e9 * static_cast<double>(kSmall) / link.bytesPerSecond;
  link.latencyNs = static_cast<TimeNs>(std::max(0.0, alpha));
  return link;
}

}  // namespace stagelane::run
