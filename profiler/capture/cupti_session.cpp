#include "profiler/capture/cupti_session.h"

#include <cupti.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "engine/trace/recorder.h"
#include "engine/trace/trace_builder.h"
#include "profiler/capture/action_id.h"
#include "profiler/capture/cupti_records.h"
#include "profiler/capture/kernel_session.h"
#include "profiler/capture/record_buffers.h"

namespace stagelane::capture::detail {
namespace {

/// The recorded kinds. Not CUPTI_ACTIVITY_KIND_KERNEL, which serializes kernels. Driver calls are
/// enabled individually, because each runtime call makes several.
constexpr CUpti_ActivityKind kKinds[] = {
    CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_MEMCPY,
    CUPTI_ACTIVITY_KIND_MEMCPY2,           CUPTI_ACTIVITY_KIND_MEMSET,
    CUPTI_ACTIVITY_KIND_SYNCHRONIZATION,   CUPTI_ACTIVITY_KIND_OVERHEAD,
    CUPTI_ACTIVITY_KIND_RUNTIME,           CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION};

/// Frequent calls of LibTorch without useful information.
constexpr CUpti_CallbackId kSilentRuntimeCalls[] = {
    CUPTI_RUNTIME_TRACE_CBID_cudaGetDevice_v3020,
    CUPTI_RUNTIME_TRACE_CBID_cudaSetDevice_v3020,
    CUPTI_RUNTIME_TRACE_CBID_cudaGetLastError_v3020,
    CUPTI_RUNTIME_TRACE_CBID_cudaPeekAtLastError_v3020,
    CUPTI_RUNTIME_TRACE_CBID_cudaGetDeviceCount_v3020,
    CUPTI_RUNTIME_TRACE_CBID_cudaDeviceGetAttribute_v5000,
    CUPTI_RUNTIME_TRACE_CBID_cudaFuncGetAttributes_v3020,
    CUPTI_RUNTIME_TRACE_CBID_cudaPointerGetAttributes_v4000,
    CUPTI_RUNTIME_TRACE_CBID_cudaEventCreateWithFlags_v3020,
    CUPTI_RUNTIME_TRACE_CBID_cudaEventDestroy_v3020,
    CUPTI_RUNTIME_TRACE_CBID_cudaEventQuery_v3020,
    CUPTI_RUNTIME_TRACE_CBID_cudaStreamIsCapturing_v10000,
    CUPTI_RUNTIME_TRACE_CBID_cudaStreamGetCaptureInfo_v10010,
    CUPTI_RUNTIME_TRACE_CBID_cudaStreamGetCaptureInfo_v2_v11030,
    CUPTI_RUNTIME_TRACE_CBID_cudaThreadExchangeStreamCaptureMode_v10010};

/// Driver calls with which libraries launch kernels; needed to find the kernels' actions.
constexpr CUpti_CallbackId kLaunchingDriverCalls[] = {
    CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel,
    CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz,
    CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx,
    CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz,
    CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel,
    CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz,
    CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch,
    CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch_ptsz};

/// The buffers of the session that records. Static because CUPTI's callbacks are plain functions.
RecordBuffers& buffers() {
  static auto* const kBuffers = new RecordBuffers();  // CUPTI may still call while the process ends
  return *kBuffers;
}

std::uint64_t CUPTIAPI clockNow() { return static_cast<std::uint64_t>(trace::monotonicNs()); }

/// Provides a buffer, often in a thread that launches work. If there is no memory for one, CUPTI
/// counts the records that it loses.
void CUPTIAPI bufferRequested(std::uint8_t** buffer, std::size_t* size, std::size_t* records) {
  *records = 0;  // as many as fit
  *buffer = buffers().takeEmpty();
  *size = *buffer == nullptr ? 0 : RecordBuffers::kBytes;
}

/// Hands the buffer to the reading thread.
void CUPTIAPI bufferCompleted(CUcontext /*context*/, std::uint32_t /*stream*/, std::uint8_t* buffer,
                              std::size_t /*size*/, std::size_t validSize) {
  buffers().giveBack(buffer, validSize);
}

/// Pushes the calling thread's action to CUPTI. If that fails, only the stages of kernels are
/// missing.
class ActionIds final : public trace::ActionObserver {
 public:
  void actionBegins(std::int32_t device, StageId stage, MicroBatchId microBatch) const override {
    cuptiActivityPushExternalCorrelationId(kOurIds, packAction({device, stage, microBatch}));
  }
  void actionEnds() const override {
    std::uint64_t last = 0;
    cuptiActivityPopExternalCorrelationId(kOurIds, &last);
  }
};
const ActionIds kActionIds;

std::string hintFor(CUptiResult result) {
  switch (result) {
    case CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED:
      return "stop the other profiler (Nsight, ncu, compute-sanitizer)";
    case CUPTI_ERROR_INSUFFICIENT_PRIVILEGES:
    case CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES:
      return "ask the administrator to allow profiling for all users, or trace operators (\"ops\")";
    default: return "trace operators (\"ops\") instead";
  }
}

class CuptiSession final : public CaptureSession {
 public:
  explicit CuptiSession(std::unique_ptr<CuptiCalls> calls) : m_calls(std::move(calls)) {}
  CuptiSession(const CuptiSession&) = delete;
  CuptiSession& operator=(const CuptiSession&) = delete;
  ~CuptiSession() override {
    if (m_recording) close();
  }

  Status configure(const CaptureConfig& config) override {
    m_config = config;
    return {};
  }

  Status start() override {
    if (const std::string reason = m_calls->whyNot(); !reason.empty()) {
      return fail(ErrorCode::EngineFailure, "cannot record kernels: " + reason, "trace",
                  "trace operators (\"ops\"), or run 'stagelane devices'");
    }
    if (!open()) {
      return fail(ErrorCode::EngineFailure, "kernels are already being recorded", "trace",
                  "stop the other recording first");
    }
    Status status = begin();
    if (!status) {
      close();
      return status;
    }
    m_startedNs = trace::monotonicNs();
    trace::observeActions(&kActionIds);
    return {};
  }

  Result<CaptureReport> stop(trace::TraceBuilder& into) override {
    if (!m_recording) return fail(ErrorCode::EngineFailure, "kernel recording was not started");
    RecordedTime time{m_startedNs, trace::monotonicNs(), 0};
    std::size_t lost = 0;
    const Status status = drain(lost);
    time.drainedNs = trace::monotonicNs();
    std::optional<KernelRecords> records = close();
    STAGELANE_CHECK(status);
    records->addDropped(lost);
    return addKernelRecords(*records, m_config, time, into);
  }

 private:
  [[nodiscard]] Status check(const std::string& call, CUptiResult result) const {
    return result == CUPTI_SUCCESS
               ? Status{}
               : fail(ErrorCode::EngineFailure,
                      "cannot record kernels: " + call + " returned " + m_calls->textOf(result),
                      "trace", hintFor(result));
  }

  /// Acquires the buffers; false if another session has them.
  bool open() {
    CuptiCalls& calls = *m_calls;
    const bool opened = buffers().open(
        [&calls](std::uint8_t* bytes, std::size_t validSize, KernelRecords& into) {
          addBuffer(calls, bytes, validSize, into);
        },
        m_config.mostEventsPerThread * std::max<std::size_t>(1, m_config.devices.size()));
    m_recording = m_recording || opened;
    return opened;
  }

  /// Sets the clock first: kinds enabled earlier keep CUPTI's default, CLOCK_REALTIME.
  Status begin() {
    Status status =
        check("cuptiActivityRegisterTimestampCallback", m_calls->registerClock(&clockNow));
    if (status) status = check("cuptiSetThreadIdType", m_calls->useSystemThreads());
    if (status) {
      status = check("cuptiActivityRegisterCallbacks",
                     m_calls->registerBuffers(&bufferRequested, &bufferCompleted));
    }
    if (status) status = enableKinds();
    return status;
  }

  Status enableKinds() {
    STAGELANE_CHECK(check("cuptiActivityEnableAndDump(CONTEXT)",
                          m_calls->enableAndDump(CUPTI_ACTIVITY_KIND_CONTEXT)));
    m_enabled.push_back(CUPTI_ACTIVITY_KIND_CONTEXT);
    for (const CUpti_ActivityKind kind : kKinds) {
      STAGELANE_CHECK(
          check("cuptiActivityEnable(" + std::to_string(kind) + ")", m_calls->enable(kind)));
      m_enabled.push_back(kind);
    }
    // These two are optional: they save time and add information.
    for (const CUpti_CallbackId call : kSilentRuntimeCalls) m_calls->traceRuntimeCall(call, false);
    for (const CUpti_CallbackId call : kLaunchingDriverCalls) m_calls->traceDriverCall(call, true);
    return {};
  }

  /// Waits for all work, then flushes CUPTI's buffers. The flush does not wait, so a running kernel
  /// would be flushed without its end.
  Status drain(std::size_t& lost) {
    Status status = m_calls->synchronizeGpus();
    if (status) {
      status = check("cuptiActivityFlushAll", m_calls->flushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED));
    }
    if (status) status = check("cuptiActivityGetNumDroppedRecords", m_calls->droppedRecords(lost));
    return status;
  }

  /// Stops recording, even if only partly started, and releases the buffers. The names of kernels
  /// in them are CUPTI's, so they are read before anything is disabled.
  std::optional<KernelRecords> close() {
    trace::observeActions(nullptr);
    buffers().drain();
    for (const CUpti_CallbackId call : kLaunchingDriverCalls) m_calls->traceDriverCall(call, false);
    for (auto kind = m_enabled.rbegin(); kind != m_enabled.rend(); ++kind) m_calls->disable(*kind);
    m_enabled.clear();
    m_recording = false;
    return buffers().close();
  }

  std::unique_ptr<CuptiCalls> m_calls;
  CaptureConfig m_config;
  std::vector<CUpti_ActivityKind> m_enabled;
  TimeNs m_startedNs = 0;
  bool m_recording = false;
};

}  // namespace

std::unique_ptr<CaptureSession> makeCuptiSession(std::unique_ptr<CuptiCalls> calls) {
  return std::make_unique<CuptiSession>(std::move(calls));
}

std::unique_ptr<CaptureSession> makeCuptiSession() { return makeCuptiSession(makeCuptiCalls()); }

}  // namespace stagelane::capture::detail
