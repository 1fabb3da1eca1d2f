#include "engine/run/step/await_job.h"

#include <algorithm>
#include <chrono>
#include <optional>

#include "engine/base/text.h"
#include "engine/trace/recorder.h"

namespace stagelane::run {
namespace {

constexpr TimeNs kGraceNs = 2'000'000'000;
// If a slice of the wait takes longer, the process was suspended, and the worker with it.
constexpr TimeNs kSuspendedNs = 1'000'000'000;

Error stuckError(const Worker& worker, TimeNs waitedNs) {
  return {
      ErrorCode::EngineFailure,
      worker.name() + " did not finish its work for " + humanTime(static_cast<double>(waitedNs)),
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
    if (waitedNs > limitNs) return tl::make_unexpected(stuckError(worker, waitedNs));
    return fail(ErrorCode::EngineFailure, worker.name() + " did not stop and was abandoned");
  }
  return job.get();
}

}  // namespace stagelane::run
