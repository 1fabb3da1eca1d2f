#pragma once

/// The calls of a session to CUPTI and CUDA, one function each, so that tests can replace CUPTI on
/// machines without a GPU. The session decides the order and handles failures. Internal to
/// profiler/capture.

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
  /// Why recording is not possible (no driver, no GPU, a different CUPTI version), or "".
  [[nodiscard]] virtual std::string whyNot() = 0;
  /// Makes CUPTI use this clock from now on.
  [[nodiscard]] virtual CUptiResult registerClock(CUpti_TimestampCallbackFunc clock) = 0;
  /// Makes records contain the system's thread ids.
  [[nodiscard]] virtual CUptiResult useSystemThreads() = 0;
  [[nodiscard]] virtual CUptiResult registerBuffers(CUpti_BuffersCallbackRequestFunc request,
                                                    CUpti_BuffersCallbackCompleteFunc complete) = 0;
  [[nodiscard]] virtual CUptiResult enable(CUpti_ActivityKind kind) = 0;
  /// Also returns the records of existing objects.
  [[nodiscard]] virtual CUptiResult enableAndDump(CUpti_ActivityKind kind) = 0;
  virtual CUptiResult disable(CUpti_ActivityKind kind) = 0;
  /// Enables or disables a single function of the API.
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
