#pragma once

/// What a session asks of CUPTI and CUDA, one function a call, so that tests can play CUPTI where
/// there is no GPU: the order of the calls and what becomes of their failures is the session's
/// whole task. Internal to profiler/capture.

#include <cupti.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "engine/base/result.h"

namespace stagelane::capture::detail {

class CuptiCalls {
 public:
  virtual ~CuptiCalls() = default;
  /// Why nothing can be recorded here (no driver, no GPU, another CUPTI than the one this was
  /// compiled for); "" where it can.
  [[nodiscard]] virtual std::string whyNot() = 0;
  /// Timestamps by this clock, from now on.
  [[nodiscard]] virtual CUptiResult registerClock(CUpti_TimestampCallbackFunc clock) = 0;
  /// The system's numbers of threads in records.
  [[nodiscard]] virtual CUptiResult useSystemThreads() = 0;
  [[nodiscard]] virtual CUptiResult registerBuffers(CUpti_BuffersCallbackRequestFunc request,
                                                    CUpti_BuffersCallbackCompleteFunc complete) = 0;
  [[nodiscard]] virtual CUptiResult enable(CUpti_ActivityKind kind) = 0;
  /// Also gives the records of what exists already.
  [[nodiscard]] virtual CUptiResult enableAndDump(CUpti_ActivityKind kind) = 0;
  virtual CUptiResult disable(CUpti_ActivityKind kind) = 0;
  /// One function of CUDA's interfaces alone.
  virtual CUptiResult traceRuntimeCall(CUpti_CallbackId call, bool traced) = 0;
  virtual CUptiResult traceDriverCall(CUpti_CallbackId call, bool traced) = 0;
  /// Waits for all work of all GPUs in use, also of green contexts. @errors EngineFailure
  [[nodiscard]] virtual Status synchronizeGpus() = 0;
  [[nodiscard]] virtual CUptiResult flushAll(std::uint32_t flags) = 0;
  /// Records lost since the last call.
  [[nodiscard]] virtual CUptiResult droppedRecords(std::size_t& count) = 0;
  /// The record after `record`, the first after null.
  [[nodiscard]] virtual CUptiResult nextRecord(std::uint8_t* buffer, std::size_t size,
                                               CUpti_Activity*& record) = 0;
  /// "CUPTI_ERROR_NOT_INITIALIZED".
  [[nodiscard]] virtual std::string textOf(CUptiResult result) = 0;
};

/// The linked CUPTI.
[[nodiscard]] std::unique_ptr<CuptiCalls> makeCuptiCalls();

}  // namespace stagelane::capture::detail
