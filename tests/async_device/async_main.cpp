// The main function of programs that use asynchronous devices: one kind of device can be registered
// in a process, before other threads, and never removed.

#include <gmock/gmock.h>

#include <cstdio>
#include <cstdlib>

#include "tests/support/async_device/async_device.h"

int main(int argc, char** argv) {
  testing::InitGoogleMock(&argc, argv);
  stagelane::async_device::install();
  const int result = RUN_ALL_TESTS();
  // The threads of streams outlive main, so nothing may be destroyed under them.
  std::fflush(nullptr);
  std::_Exit(result);
}
