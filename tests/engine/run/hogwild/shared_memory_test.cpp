#include "engine/run/hogwild/shared_memory.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>

namespace stagelane::run {
namespace {

TEST(SharedMemory, BeginsWithZerosAndIsTheSameForWhoeverHasItsDescriptor) {
  auto one = SharedMemory::create(5000);
  ASSERT_TRUE(one) << describe(one.error());
  EXPECT_EQ(one->size(), 5000U);
  EXPECT_TRUE(std::all_of(one->data(), one->data() + 5000,
                          [](std::byte value) { return value == std::byte{0}; }));
  auto other = SharedMemory::open(::dup(one->descriptor()));
  ASSERT_TRUE(other) << describe(other.error());
  EXPECT_NE(other->data(), one->data());
  one->data()[4999] = std::byte{42};
  EXPECT_EQ(other->data()[4999], std::byte{42});
}

TEST(SharedMemory, KeepsItsSizeWhateverAProcessDoes) {
  auto memory = SharedMemory::create(5000);
  ASSERT_TRUE(memory);
  EXPECT_NE(::ftruncate(memory->descriptor(), 100), 0);
  EXPECT_NE(::ftruncate(memory->descriptor(), 10000), 0);
}

TEST(SharedMemory, IsClosedOnExec) {
  auto memory = SharedMemory::create(64);
  ASSERT_TRUE(memory);
  EXPECT_NE(::fcntl(memory->descriptor(), F_GETFD) & FD_CLOEXEC, 0);
}

TEST(SharedMemory, SaysWhatIsNotSharedMemory) {
  const auto memory = SharedMemory::open(-1);
  ASSERT_FALSE(memory);
  EXPECT_EQ(memory.error().code, ErrorCode::EngineFailure);
}

TEST(SharedMemory, ThatDoesNotFitIsAnError) {
  const auto memory = SharedMemory::create(std::size_t{1} << 60U);
  ASSERT_FALSE(memory);
  EXPECT_EQ(memory.error().code, ErrorCode::OutOfMemory);
}

}  // namespace
}  // namespace stagelane::run
