#include "engine/run/device/cuda_context_event.h"

#include <c10/core/DeviceGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <c10/util/Exception.h>

namespace stagelane::run {
namespace {

void check(const CudaDriver& driver, const char* function, CUresult result) {
  TORCH_CHECK(result == CUDA_SUCCESS, function, " returned ", driver.nameOf(result));
}

/// Makes a context the calling thread's current one while alive.
class InContext {
 public:
  InContext(const CudaDriver& driver, CUcontext context) : m_driver(driver) {
    check(driver, "cuCtxPushCurrent", driver.ctxPushCurrent(context));
  }
  ~InContext() {
    CUcontext popped = nullptr;
    m_driver.ctxPopCurrent(&popped);
  }
  InContext(const InContext&) = delete;
  InContext& operator=(const InContext&) = delete;

 private:
  const CudaDriver& m_driver;
};

class CudaContextEvent final : public DeviceEvent {
 public:
  CudaContextEvent(const CudaDriver& driver, CUcontext context)
      : m_driver(driver), m_context(context) {
    const InContext inContext(m_driver, m_context);
    check(m_driver, "cuEventCreate", m_driver.eventCreate(&m_event, CU_EVENT_DEFAULT));
  }
  ~CudaContextEvent() override {
    // An error of the device would be reported here too; whoever waits gets it.
    static_cast<void>(m_driver.eventDestroy(m_event));
  }
  CudaContextEvent(const CudaContextEvent&) = delete;
  CudaContextEvent& operator=(const CudaContextEvent&) = delete;

  void record(const c10::Stream& stream) override {
    const InContext inContext(m_driver, m_context);
    check(m_driver, "cuEventRecord", m_driver.eventRecord(m_event, handleOf(stream)));
  }
  void block(const c10::Stream& stream) const override {
    const c10::DeviceGuard onDevice(stream.device());
    check(m_driver, "cuStreamWaitEvent",
          m_driver.streamWaitEvent(handleOf(stream), m_event, CU_EVENT_WAIT_DEFAULT));
  }
  [[nodiscard]] bool reached() const override {
    const InContext inContext(m_driver, m_context);
    const CUresult result = m_driver.eventQuery(m_event);
    if (result == CUDA_ERROR_NOT_READY) return false;
    check(m_driver, "cuEventQuery", result);
    return true;
  }
  void synchronize() const override {
    const InContext inContext(m_driver, m_context);
    check(m_driver, "cuEventSynchronize", m_driver.eventSynchronize(m_event));
  }
  [[nodiscard]] double elapsedTimeMs(const DeviceEvent& later) const override {
    const InContext inContext(m_driver, m_context);
    float milliseconds = 0;
    const CUevent end = dynamic_cast<const CudaContextEvent&>(later).m_event;
    check(m_driver, "cuEventElapsedTime", m_driver.eventElapsedTime(&milliseconds, m_event, end));
    return static_cast<double>(milliseconds);
  }

 private:
  [[nodiscard]] static CUstream handleOf(const c10::Stream& stream) {
    return c10::cuda::CUDAStream(stream).stream();
  }

  const CudaDriver& m_driver;
  CUcontext m_context;
  CUevent m_event = nullptr;
};

}  // namespace

EventMaker cudaContextEvents(const CudaDriver& driver, CUcontext context) {
  return [&driver, context] { return std::make_unique<CudaContextEvent>(driver, context); };
}

}  // namespace stagelane::run
