#include "engine/checkpoint/checkpoint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "tests/engine/checkpoint/model_folder.h"

namespace stagelane::checkpoint {
namespace {

using testing::HasSubstr;

constexpr const char* kIndex = "model.safetensors.index.json";

/// A folder with the tensors `a` in one shard and `b` in another, and an index.
class TwoShards : public ::testing::Test {
 protected:
  TwoShards() {
    test::writeSafetensors(m_folder / "one", {{"a", ElementType::F32, {2}}});
    test::writeSafetensors(m_folder / "two", {{"b", ElementType::F16, {3}}});
  }

  Result<Checkpoint> open(const std::string& index) {
    test::writeText(m_folder / kIndex, index);
    return openCheckpoint(m_folder.path());
  }

  test::TemporaryFolder m_folder;
};

TEST_F(TwoShards, AreFoundThroughTheIndex) {
  const auto checkpoint = open(R"({"metadata":{},"weight_map":{"b":"two","a":"one"}})");
  ASSERT_TRUE(checkpoint) << describe(checkpoint.error());
  ASSERT_EQ(checkpoint->tensors.size(), 2U);
  ASSERT_NE(checkpoint->find("b"), nullptr);
  EXPECT_EQ(checkpoint->find("b")->file->path(), m_folder / "two");
  EXPECT_EQ(checkpoint->find("b")->bytes, 6);
  EXPECT_EQ(checkpoint->find("a")->file->path(), m_folder / "one");
  EXPECT_EQ(checkpoint->find("c"), nullptr);
  EXPECT_EQ(checkpoint->find("A"), nullptr);
}

TEST_F(TwoShards, NeedAnIndexThatIsRight) {
  const std::map<std::string, std::string> places{
      {R"({"weight_map":{"a":"one","b":"one"}})", "/weight_map/b"},
      {R"({"weight_map":{"a":"one","b":"two","c":"two"}})", "/weight_map/c"},
      {R"({"weight_map":{"a":"one","b":"three"}})", "/three"},
      {R"({"weight_map":{"a":"one"},"weight_map":{"b":"two"}})", kIndex},
      {R"({"weight_map":{"a":"one","b":"two","a":"two"}})", kIndex},
      {R"({"weight_map":{"a":"one","b":2}})", "/weight_map/b"},
      {R"({"weight_map":["one","two"]})", "/weight_map"},
      {R"({})", "/weight_map"},
      {R"([])", kIndex},
      {R"({"weight_map":{"a":"one")", "byte"},
  };
  for (const auto& [index, place] : places) {
    SCOPED_TRACE(index);
    const auto checkpoint = open(index);
    ASSERT_FALSE(checkpoint);
    EXPECT_EQ(checkpoint.error().code, ErrorCode::Invalid);
    EXPECT_THAT(checkpoint.error().context, HasSubstr(m_folder.path().string()));
    EXPECT_THAT(checkpoint.error().context, HasSubstr(place));
  }
}

TEST_F(TwoShards, MayHoldNoTensorThatTheIndexDoesNotList) {
  test::writeSafetensors(m_folder / "two",
                         {{"b", ElementType::F16, {3}}, {"c", ElementType::F16, {3}}});
  const auto checkpoint = open(R"({"weight_map":{"a":"one","b":"two"}})");
  ASSERT_FALSE(checkpoint);
  EXPECT_EQ(checkpoint.error().message, "the index does not list tensor \"c\" of two");
}

TEST_F(TwoShards, MayNotHoldATensorTwice) {
  test::writeSafetensors(m_folder / "two",
                         {{"a", ElementType::F32, {2}}, {"b", ElementType::F16, {3}}});
  const auto checkpoint = open(R"({"weight_map":{"a":"one","b":"two"}})");
  ASSERT_FALSE(checkpoint);
  EXPECT_THAT(checkpoint.error().context, HasSubstr("/weight_map/a"));
}

TEST_F(TwoShards, ReachNoFileOutsideOfTheFolder) {
  test::writeSafetensors(m_folder.path().parent_path() / "stagelane-outside", {});
  std::filesystem::create_directory(m_folder / "sub");
  std::filesystem::copy_file(m_folder / "two", m_folder / "sub" / "two");
  for (const char* shard : {"../stagelane-outside", "/etc/hostname", "sub/two", "./two", "..", ".",
                            "", R"(two\u0000)"}) {
    SCOPED_TRACE(shard);
    const auto checkpoint =
        open(std::string(R"({"weight_map":{"a":"one","b":")") + shard + R"("}})");
    ASSERT_FALSE(checkpoint);
    EXPECT_THAT(checkpoint.error().context, HasSubstr("/weight_map/b"));
  }
  std::filesystem::remove(m_folder.path().parent_path() / "stagelane-outside");
}

TEST_F(TwoShards, AreNotUsedBesideAWholeFile) {
  test::writeSafetensors(m_folder / "model.safetensors", {{"d", ElementType::F32, {1}}});
  const auto checkpoint = open(R"({"weight_map":{"a":"one","b":"two"}})");
  ASSERT_TRUE(checkpoint);
  EXPECT_NE(checkpoint->find("d"), nullptr);
  EXPECT_EQ(checkpoint->find("a"), nullptr);
}

TEST_F(TwoShards, WithoutAnIndexAreNoCheckpoint) {
  const auto checkpoint = openCheckpoint(m_folder.path());
  ASSERT_FALSE(checkpoint);
  EXPECT_EQ(checkpoint.error().context, m_folder.path().string());
  EXPECT_EQ(checkpoint.error().hint, "Download the model's safetensors files");
  test::writeText(m_folder / "pytorch_model.bin", "");
  EXPECT_EQ(openCheckpoint(m_folder.path()).error().hint,
            "Convert pytorch_model.bin to safetensors; pickled weights are not read");
}

TEST_F(TwoShards, MayBeLinksAsInAHubCache) {
  std::filesystem::rename(m_folder / "one", m_folder / "blob");
  std::filesystem::create_symlink("blob", m_folder / "one");
  EXPECT_TRUE(open(R"({"weight_map":{"a":"one","b":"two"}})"));
  std::filesystem::remove(m_folder / "blob");
  const auto broken = openCheckpoint(m_folder.path());
  ASSERT_FALSE(broken);
  EXPECT_EQ(broken.error().context, (m_folder / "one").string());
}

}  // namespace
}  // namespace stagelane::checkpoint
