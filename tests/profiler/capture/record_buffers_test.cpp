#include "profiler/capture/record_buffers.h"

#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <new>
#include <optional>
#include <thread>
#include <vector>

namespace stagelane::capture::detail {
namespace {

/// Reads a buffer as one context whose number is its first byte.
void readNumber(std::uint8_t* bytes, std::size_t validSize, KernelRecords& into) {
  EXPECT_EQ(validSize, 1U);
  into.add(GpuContext{*bytes, 0, 0, 0, false});
}

void give(RecordBuffers& buffers, int number) {
  std::uint8_t* const bytes = buffers.takeEmpty();
  ASSERT_NE(bytes, nullptr);
  *bytes = static_cast<std::uint8_t>(number);
  buffers.giveBack(bytes, 1);
}

std::vector<std::uint32_t> numbersOf(const std::optional<KernelRecords>& records) {
  std::vector<std::uint32_t> numbers;
  if (records) {
    for (const GpuContext& context : records->contexts()) numbers.push_back(context.context);
  }
  return numbers;
}

TEST(RecordBuffers, AreReadInTheOrderInWhichTheyAreGivenBack) {
  RecordBuffers buffers;
  ASSERT_TRUE(buffers.open(readNumber, 100));
  for (const int number : {3, 1, 2}) give(buffers, number);
  EXPECT_EQ(numbersOf(buffers.close()), (std::vector<std::uint32_t>{3, 1, 2}));
}

TEST(RecordBuffers, AreReadWhileTheRecordingGoesOn) {
  RecordBuffers buffers;
  std::promise<void> read;
  ASSERT_TRUE(buffers.open([&read](std::uint8_t* /*bytes*/, std::size_t /*size*/,
                                   KernelRecords& /*into*/) { read.set_value(); },
                           100));
  give(buffers, 1);
  EXPECT_EQ(read.get_future().wait_for(std::chrono::seconds(10)), std::future_status::ready);
  EXPECT_TRUE(buffers.close());
}

TEST(RecordBuffers, ServeOneRecordingAfterTheOther) {
  RecordBuffers buffers;
  EXPECT_FALSE(buffers.close()) << "none was open";
  ASSERT_TRUE(buffers.open(readNumber, 100));
  EXPECT_FALSE(buffers.open(readNumber, 100));
  give(buffers, 1);
  EXPECT_EQ(numbersOf(buffers.close()).size(), 1U);
  give(buffers, 7);  // too late: freed
  ASSERT_TRUE(buffers.open(readNumber, 100));
  EXPECT_EQ(numbersOf(buffers.close()).size(), 0U);
}

TEST(RecordBuffers, CountABufferThatCannotBeReadAndReadTheNext) {
  RecordBuffers buffers;
  ASSERT_TRUE(buffers.open(
      [](std::uint8_t* bytes, std::size_t validSize, KernelRecords& into) {
        if (*bytes == 0) throw std::bad_alloc();
        readNumber(bytes, validSize, into);
      },
      100));
  for (const int number : {0, 5}) give(buffers, number);
  const std::optional<KernelRecords> records = buffers.close();
  EXPECT_EQ(numbersOf(records), (std::vector<std::uint32_t>{5}));
  EXPECT_EQ(records->dropped(), 1U);
}

TEST(RecordBuffers, OfManyThreadsAreAllReadOnce) {
  RecordBuffers buffers;
  ASSERT_TRUE(buffers.open(readNumber, 100));
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&buffers] {
      for (int i = 0; i < 50; ++i) give(buffers, 1);
    });
  }
  for (std::thread& thread : threads) thread.join();
  buffers.drain();
  EXPECT_EQ(numbersOf(buffers.close()).size(), 200U);
}

}  // namespace
}  // namespace stagelane::capture::detail
