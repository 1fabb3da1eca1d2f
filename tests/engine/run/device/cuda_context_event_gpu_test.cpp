#include "engine/run/device/cuda_context_event.h"

#include <c10/cuda/CUDAStream.h>
#include <gtest/gtest.h>

#include "engine/run/device/backend.h"
#include "engine/run/engine.h"

namespace stagelane::run {
namespace {

/// A green context of all multiprocessors, with a stream.
struct Green {
  CUcontext context = nullptr;
  CUstream stream = nullptr;
};

Green greenContext(const CudaDriver& driver) {
  CUdevice device = 0;
  CUdevResource whole{};
  CUdevResourceDesc description = nullptr;
  CUgreenCtx context = nullptr;
  Green green;
  EXPECT_EQ(driver.deviceGet(&device, 0), CUDA_SUCCESS);
  EXPECT_EQ(driver.deviceGetDevResource(device, &whole, CU_DEV_RESOURCE_TYPE_SM), CUDA_SUCCESS);
  EXPECT_EQ(driver.resourceGenerateDesc(&description, &whole, 1), CUDA_SUCCESS);
  EXPECT_EQ(driver.greenCtxCreate(&context, description, device, CU_GREEN_CTX_DEFAULT_STREAM),
            CUDA_SUCCESS);
  EXPECT_EQ(driver.ctxFromGreenCtx(&green.context, context), CUDA_SUCCESS);
  EXPECT_EQ(driver.greenCtxStreamCreate(&green.stream, context, CU_STREAM_NON_BLOCKING, 0),
            CUDA_SUCCESS);
  return green;
}

TEST(CudaContextEvents, WorkOnTheStreamsOfTheirContextAndAreWaitedForByOthers) {
  if (machineDevices().gpus < 1) GTEST_SKIP() << "needs a GPU";
  const auto backend = makeBackend(DeviceId{"cuda:0"}, BackendOptions{});  // opens the GPU
  ASSERT_TRUE(backend) << describe(backend.error());
  const Result<CudaDriver>& driver = cudaDriver();
  ASSERT_TRUE(driver) << describe(driver.error());
  const Green green = greenContext(*driver);
  const EventMaker events = cudaContextEvents(*driver, green.context);
  const c10::Stream compute = c10::cuda::getStreamFromExternal(green.stream, 0).unwrap();
  const auto first = events();
  const auto last = events();
  first->record(compute);
  first->block(c10::cuda::getStreamFromPool(/*isHighPriority=*/false, 0).unwrap());
  last->record(compute);
  last->synchronize();
  EXPECT_TRUE(first->reached());
  EXPECT_GE(first->elapsedTimeMs(*last), 0);
}

}  // namespace
}  // namespace stagelane::run
