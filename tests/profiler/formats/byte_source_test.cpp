#include "profiler/formats/byte_source.h"

#include <gtest/gtest.h>

namespace stagelane::formats::detail {
namespace {

TEST(UnpackAll, SaysThatMoreFollowsThanMayBeInMemory) {
  const std::string bytes(3 << 20, 'x');
  const Unpacked whole = unpackAll(*memorySource(bytes), bytes.size());
  EXPECT_EQ(whole.bytes.size(), bytes.size());
  EXPECT_EQ(whole.problem, "") << "it fits to the byte";
  const Unpacked part = unpackAll(*memorySource(bytes), 2 << 20);
  EXPECT_EQ(part.bytes.size(), std::size_t{2} << 20);
  EXPECT_NE(part.problem.find("memory limit of 2 MiB"), std::string::npos) << part.problem;
}

TEST(MostInMemory, IsAShareOfWhatIsFree) {
  EXPECT_GT(mostInMemory(), std::uint64_t{1} << 20);
  EXPECT_LE(mostInMemory(), std::uint64_t{16} << 30);
}

}  // namespace
}  // namespace stagelane::formats::detail
