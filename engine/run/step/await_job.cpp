#include "engine/run/step/await_job.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <utility>

#include "engine/base/text.h"
#include "engine/trace/recorder.h"

namespace stagelane::run {
namespace {

constexpr TimeNs kGraceNs = 2'000'000'000;
// If a slice of the wait takes longer, the process was suspended, and the worker with it.
constexpr TimeNs kSuspendedNs = 1'000'000'000;

Error stuckError(const Worker& worker, const std::string& what, TimeNs waitedNs) {
  return {ErrorCode::EngineFailure,
          worker.name() + " did not finish " + what + " for " +
              humanTime(static_cast<double>(waitedNs)),
          "",
          "if its work takes longer, increase stall_timeout_s",
          {FailureKind::Stalled, {}, {worker.name()}}};
}

}  // namespace

Status awaitJob(std::future<Status>& job, Worker& worker, const RunControl& control,
                TimeNs limitNs) {
  constexpr auto kSlice = std::chrono::milliseconds(20);
  TimeNs waitedNs = 0;
  TimeNs sinceStopNs = 0;
  TimeNs lastNs = trace::monotonicNs();
  while (job.wait_for(kSlice) != std::future_status::ready) {
    const TimeNs nowNs = trace::monotonicNs();
    const TimeNs sliceNs = std::min(nowNs - lastNs, kSuspendedNs);
    lastNs = nowNs;
    waitedNs += sliceNs;
    if (control.stopped()) sinceStopNs += sliceNs;
    if (waitedNs <= limitNs && sinceStopNs <= kGraceNs) continue;
    worker.abandon();
    if (waitedNs > limitNs) return tl::make_unexpected(stuckError(worker, "its work", waitedNs));
    return fail(ErrorCode::EngineFailure, worker.name() + " did not stop and was abandoned");
  }
  return job.get();
}

Result<std::string> prepareTransfer(Worker& from, Worker& to, const RunControl& control) {
  const TimeNs startNs = trace::monotonicNs();
  const TimeNs limitNs = control.stallLimitNs();
  const auto waitedNs = [startNs] { return trace::monotonicNs() - startNs; };
  std::optional<std::string> remark = from.backend().prepareTransfer(
      to.backend(), [&] { return control.stopped() || waitedNs() > limitNs; });
  if (remark) return std::move(*remark);
  from.abandon();
  to.abandon();
  return tl::make_unexpected(stuckError(from, "a copy to " + to.name(), waitedNs()));
}

}  // namespace stagelane::run
