// Broken safetensors files of the conformance set, and what is wrong in each.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "engine/checkpoint/safetensors.h"
#include "tests/engine/checkpoint/model_folder.h"

namespace stagelane::checkpoint {
namespace {

using testing::EndsWith;
using testing::StartsWith;

Json casesOf(const std::string& kind) {
  return Json::parse(test::textOf(test::llamaData() / "hostile.json")).at(kind);
}

/// Type and shape of each tensor, with Python's names of the types.
Json described(const std::vector<StoredTensor>& tensors) {
  static const std::map<ElementType, std::string> names{{ElementType::F32, "float32"},
                                                        {ElementType::I8, "int8"}};
  Json answer = Json::object();
  for (const StoredTensor& tensor : tensors) {
    answer[tensor.name] = {names.at(tensor.type), tensor.shape};
  }
  return answer;
}

TEST(HostileFiles, AreRefusedOrAcceptedAsTheConformanceCasesSay) {
  std::size_t tried = 0;
  for (const Json& each : casesOf("files")) {
    const std::string name = each.at("file");
    SCOPED_TRACE(name + ": " + each.at("why").get<std::string>());
    const auto path = test::llamaData() / "hostile" / name;
    const auto opened = openSafetensors(path);
    ++tried;
    if (each.at("must") == "accept") {
      ASSERT_TRUE(opened) << describe(opened.error());
      const std::map<std::string, Json> found = described(*opened), wanted = each.at("tensors");
      EXPECT_EQ(found, wanted);
      continue;
    }
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().code, ErrorCode::Invalid);
    EXPECT_THAT(opened.error().context, StartsWith(path.string()));
    EXPECT_FALSE(opened.error().message.empty());
  }
  EXPECT_EQ(tried, 36U);
}

TEST(HostileFiles, AreRefusedWithTheByteOrTheTensor) {
  const std::map<std::string, std::string> places{
      {"overlap", ", byte 132"},
      {"same_bytes_twice", ", byte 115"},
      {"past_the_end", ", tensor \"a\""},
      {"bytes_left_over", ", byte 139"},
      {"hole", ", byte 120"},
      {"not_from_zero", ", byte 62"},
      {"end_before_begin", ", tensor \"a\""},
      {"negative_offset", ", tensor \"a\""},
      {"offset_wraps", ", tensor \"a\""},
      {"shape_overflows", ", tensor \"a\""},
      {"unknown_dtype", ", tensor \"a\""},
      {"header_huge", ", byte 0"},
      {"header_negative", ", byte 0"},
      {"header_over_cap", ", byte 0"},
      {"header_short", ", byte 116"},
      {"header_zero", ", byte 8"},
      {"not_an_object", ", byte 8"},
      {"missing_member", ", tensor \"a\""},
      {"deep_nesting", ", tensor \"a\""},
  };
  for (const auto& [name, place] : places) {
    SCOPED_TRACE(name);
    const auto opened = openSafetensors(test::llamaData() / "hostile" / (name + ".safetensors"));
    ASSERT_FALSE(opened);
    EXPECT_THAT(opened.error().context, EndsWith(".safetensors" + place));
  }
}

TEST(HostileFiles, APointerOfGitLfsIsRefusedWithWhatToDo) {
  const auto opened = openSafetensors(test::llamaData() / "hostile" / "lfs_pointer.safetensors");
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().message, "is a pointer of Git LFS, not the file itself");
  EXPECT_EQ(opened.error().hint, "Run \"git lfs pull\" in its folder");
}

}  // namespace
}  // namespace stagelane::checkpoint
