// The main function of the tests in this folder: the engine's GPUs are asynchronous test devices,
// which can be registered once in a process and never removed.

#include <gmock/gmock.h>

#include <cstdio>
#include <cstdlib>

#include "engine/run/engine.h"
#include "tests/engine/run/async/async_platform.h"
#include "tests/support/async_device/async_device.h"

int main(int argc, char** argv) {
  testing::InitGoogleMock(&argc, argv);
  stagelane::run::installAllocator(stagelane::plan::AllocatorKind::Caching);
  stagelane::async_device::install();
  stagelane::run::setGpuPlatform(stagelane::run::test::makeAsyncPlatform());
  const int result = RUN_ALL_TESTS();
  // The threads of streams outlive main, so nothing may be destroyed under them.
  std::fflush(nullptr);
  std::_Exit(result);
}
