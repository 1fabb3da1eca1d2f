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

TEST(MappedBytes, HoldTheBytesOfAFileAndForgetThoseThatWereRead) {
  std::string bytes(5 << 20, '\0');
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i % 251);
  MappedBytes whole;
  EXPECT_EQ(whole.fill(*memorySource(bytes), bytes.size()), "") << "it fits to the byte";
  EXPECT_TRUE(whole.view() == bytes);
  constexpr std::size_t kRead = (3 << 20) + 17;
  for (const std::size_t place : {std::size_t{0}, std::size_t{4096}, kRead, kRead}) {
    whole.forget(place);
  }
  EXPECT_TRUE(whole.view().substr(kRead) == std::string_view(bytes).substr(kRead));
  whole.forget(bytes.size());

  MappedBytes part;
  const std::string problem = part.fill(*memorySource(bytes), 2 << 20);
  EXPECT_TRUE(part.view() == std::string_view(bytes).substr(0, 2 << 20));
  EXPECT_NE(problem.find("memory limit of 2 MiB"), std::string::npos) << problem;
  MappedBytes none;
  EXPECT_EQ(none.fill(*memorySource(""), 1), "");
  EXPECT_TRUE(none.view().empty());
}

TEST(MostInMemory, IsAShareOfWhatIsFree) {
  EXPECT_GT(mostInMemory(), std::uint64_t{1} << 20);
  EXPECT_LE(mostInMemory(), std::uint64_t{16} << 30);
}

}  // namespace
}  // namespace stagelane::formats::detail
