#include "engine/checkpoint/weight_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <string>
#include <vector>

#include "engine/checkpoint/safetensors.h"
#include "tests/engine/checkpoint/model_folder.h"

namespace stagelane::checkpoint {
namespace {

class WeightFiles : public ::testing::Test {
 protected:
  std::string read(const WeightFile& file, Bytes offset, std::size_t bytes) {
    std::string text(bytes, ' ');
    m_status = file.read(offset, std::as_writable_bytes(std::span(text)));
    return text;
  }

  test::TemporaryFolder m_folder;
  Status m_status;
};

TEST_F(WeightFiles, AreReadByOffset) {
  test::writeText(m_folder / "a", "0123456789");
  const auto file = WeightFile::open(m_folder / "a");
  ASSERT_TRUE(file);
  EXPECT_EQ((*file)->size(), 10);
  EXPECT_EQ(read(**file, 3, 4), "3456");
  EXPECT_TRUE(m_status);
  EXPECT_EQ(read(**file, 10, 0), "");
  EXPECT_TRUE(m_status);
}

TEST_F(WeightFiles, ThatBecomeShorterAreAnErrorWithTheByte) {
  test::writeText(m_folder / "a", "0123456789");
  const auto file = WeightFile::open(m_folder / "a");
  ASSERT_TRUE(file);
  std::filesystem::resize_file(m_folder / "a", 5);
  read(**file, 3, 4);
  ASSERT_FALSE(m_status);
  EXPECT_EQ(m_status.error().code, ErrorCode::Invalid);
  EXPECT_EQ(m_status.error().context, (m_folder / "a").string() + ", byte 5");
}

TEST_F(WeightFiles, KeepTheContentThatWasCheckedWhenAnotherTakesTheirPlace) {
  test::writeText(m_folder / "a", "old");
  const auto file = WeightFile::open(m_folder / "a");
  ASSERT_TRUE(file);
  test::writeText(m_folder / "b", "new");
  std::filesystem::rename(m_folder / "b", m_folder / "a");
  EXPECT_EQ(read(**file, 0, 3), "old");
}

TEST_F(WeightFiles, MustBeRegularFiles) {
  ASSERT_EQ(::mkfifo((m_folder / "pipe").c_str(), 0600), 0);
  std::filesystem::create_symlink(m_folder / "absent", m_folder / "link");
  for (const char* name : {"pipe", "link", "absent", "."}) {
    SCOPED_TRACE(name);
    const auto file = WeightFile::open(m_folder / name);
    ASSERT_FALSE(file);
    EXPECT_EQ(file.error().code, ErrorCode::Invalid);
    EXPECT_EQ(file.error().context, (m_folder / name).string());
  }
}

TEST_F(WeightFiles, OfSafetensorsGiveTheBytesOfATensor) {
  const std::string header = R"({"b":{"dtype":"U8","shape":[3],"data_offsets":[2,5]},)"
                             R"("a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]}})";
  test::writeSafetensors(m_folder / "a.safetensors", header, 0);
  test::writeText(m_folder / "a.safetensors", test::textOf(m_folder / "a.safetensors") + "aabbb");
  const auto tensors = openSafetensors(m_folder / "a.safetensors");
  ASSERT_TRUE(tensors) << describe(tensors.error());
  const StoredTensor& tensor = tensors->at(1);
  EXPECT_EQ(tensor.name, "b");
  EXPECT_EQ(read(*tensor.file, tensor.offset, static_cast<std::size_t>(tensor.bytes)), "bbb");
}

}  // namespace
}  // namespace stagelane::checkpoint
