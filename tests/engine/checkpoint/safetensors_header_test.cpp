#include "engine/checkpoint/safetensors_header.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

namespace stagelane::checkpoint {
namespace {

using testing::ElementsAre;

/// The header in front of `dataBytes` of data.
Result<std::vector<HeaderTensor>> parse(const std::string& header, Bytes dataBytes) {
  const Bytes fileBytes = kHeaderLengthBytes + static_cast<Bytes>(header.size()) + dataBytes;
  return parseSafetensorsHeader(header, fileBytes, "x");
}

std::string tensor(const std::string& type, const std::string& shape, const std::string& offsets) {
  return R"({"dtype":")" + type + R"(","shape":)" + shape + R"(,"data_offsets":)" + offsets + "}";
}

TEST(SafetensorsHeader, TensorsAreInTheOrderOfTheirDataWithOffsetsInTheFile) {
  const std::string header = "{\"b\":" + tensor("BF16", "[2,3]", "[4,16]") +
                             ",\"a\":" + tensor("F32", "[]", "[0,4]") + "}";
  const auto tensors = parse(header, 12 + 4);
  ASSERT_TRUE(tensors) << describe(tensors.error());
  ASSERT_EQ(tensors->size(), 2U);
  const Bytes start = kHeaderLengthBytes + static_cast<Bytes>(header.size());
  EXPECT_EQ(tensors->at(0).name, "a");
  EXPECT_EQ(tensors->at(0).offset, start);
  EXPECT_TRUE(tensors->at(0).shape.empty());
  EXPECT_EQ(tensors->at(1).name, "b");
  EXPECT_EQ(tensors->at(1).type, ElementType::BF16);
  EXPECT_THAT(tensors->at(1).shape, ElementsAre(2, 3));
  EXPECT_EQ(tensors->at(1).offset, start + 4);
  EXPECT_EQ(tensors->at(1).bytes, 12);
}

TEST(SafetensorsHeader, TypesWithFewerThanEightBitsNeedWholeBytes) {
  EXPECT_TRUE(parse("{\"a\":" + tensor("F4", "[4]", "[0,2]") + "}", 2));
  EXPECT_TRUE(parse("{\"a\":" + tensor("F6_E2M3", "[4]", "[0,3]") + "}", 3));
  EXPECT_FALSE(parse("{\"a\":" + tensor("F4", "[3]", "[0,2]") + "}", 2));
}

TEST(SafetensorsHeader, RefusesWhatTheFormatDoesNotAllow) {
  const std::string good = tensor("F32", "[1]", "[0,4]");
  const std::map<std::string, std::string> headers{
      {"an unknown member",
       R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4],"strides":[1]}})"},
      {"a member twice", R"({"a":{"dtype":"F32","dtype":"F32","shape":[1],"data_offsets":[0,4]}})"},
      {"metadata twice", R"({"__metadata__":{},"a":)" + good + R"(,"__metadata__":{}})"},
      {"a key of the metadata twice", R"({"__metadata__":{"k":"1","k":"2"},"a":)" + good + "}"},
      {"metadata that is null", R"({"__metadata__":null,"a":)" + good + "}"},
      {"metadata in the metadata", R"({"__metadata__":{"k":{}},"a":)" + good + "}"},
      {"no shape", R"({"a":{"dtype":"F32","data_offsets":[0,4]}})"},
      {"no dtype", R"({"a":{"shape":[1],"data_offsets":[0,4]}})"},
      {"one offset", "{\"a\":" + tensor("F32", "[1]", "[4]") + "}"},
      {"three offsets", "{\"a\":" + tensor("F32", "[1]", "[0,4,4]") + "}"},
      {"offsets as text", "{\"a\":" + tensor("F32", "[1]", "[\"0\",\"4\"]") + "}"},
      {"an offset of minus zero", "{\"a\":" + tensor("F32", "[1]", "[-0,4]") + "}"},
      {"an offset with an exponent", "{\"a\":" + tensor("F32", "[1]", "[0,4e0]") + "}"},
      {"an offset of 2^63", "{\"a\":" + tensor("F32", "[1]", "[0,9223372036854775808]") + "}"},
      {"a shape that is a number", "{\"a\":" + tensor("F32", "1", "[0,4]") + "}"},
      {"a shape with a list", "{\"a\":" + tensor("F32", "[[1]]", "[0,4]") + "}"},
      {"a shape of booleans", "{\"a\":" + tensor("F32", "[true]", "[0,4]") + "}"},
      {"a dtype that is a number", R"({"a":{"dtype":32,"shape":[1],"data_offsets":[0,4]}})"},
      {"a tensor that is null", R"({"a":null})"},
      {"a tensor that is text", R"({"a":"F32"})"},
      {"two values", "{\"a\":" + good + "}{}"},
      {"a comment", "{\"a\":" + good + "/**/}"},
      {"a comma at the end", "{\"a\":" + good + ",}"},
      {"a NaN", "{\"a\":" + tensor("F32", "[NaN]", "[0,4]") + "}"},
      {"a zero byte at the end", "{\"a\":" + good + "}" + std::string(1, '\0')},
      {"a zero byte in a name", "{\"a" + std::string(1, '\0') + "\":" + good + "}"},
      {"a size of bytes above 2^63",
       "{\"a\":" + tensor("F64", "[2305843009213693952]", "[0,0]") + "}"},
      {"half of a surrogate pair", R"({"\ud800":)" + good + "}"},
  };
  for (const auto& [what, header] : headers) {
    SCOPED_TRACE(what);
    const auto tensors = parse(header, 4);
    ASSERT_FALSE(tensors);
    EXPECT_EQ(tensors.error().code, ErrorCode::Invalid);
    EXPECT_EQ(tensors.error().context.substr(0, 1), "x");
  }
}

TEST(SafetensorsHeader, AnEmptyTensorMayNotLieWithinAnother) {
  const auto header = [](const std::string& offsets) {
    return "{\"a\":" + tensor("F32", "[2]", "[0,8]") + ",\"b\":" + tensor("F32", "[0]", offsets) +
           "}";
  };
  EXPECT_TRUE(parse(header("[0,0]"), 8));
  EXPECT_TRUE(parse(header("[8,8]"), 8));
  EXPECT_FALSE(parse(header("[4,4]"), 8));
}

TEST(SafetensorsHeader, AShapeMayBeginWithZeroAndHaveAnySizesBehindIt) {
  EXPECT_TRUE(parse("{\"a\":" + tensor("F32", "[0,4611686018427387904,8]", "[0,0]") + "}", 0));
}

TEST(SafetensorsHeader, NeedsAsMuchMemoryAsTheTensorsThatItDescribes) {
  // Stopped at the first list: nothing is kept for the others.
  std::string header = "{\"a\":[";
  for (int i = 0; i < 1'000'000; ++i) header += "[],";
  EXPECT_EQ(parse(header + "[]]}", 0).error().context, "x, tensor \"a\"");
  std::string shape = "[1";
  for (int i = 0; i < 64; ++i) shape += ",1";
  EXPECT_FALSE(parse("{\"a\":" + tensor("F32", shape + "]", "[0,4]") + "}", 4));
}

TEST(SafetensorsHeader, LengthMayFillTheFileAndNoMore) {
  const auto start = [](std::uint64_t length) {
    return std::string(reinterpret_cast<const char*>(&length), sizeof length);
  };
  EXPECT_EQ(safetensorsHeaderBytes(start(2), 10, "x"), 2);
  EXPECT_EQ(safetensorsHeaderBytes(start(100'000'000), 100'000'008, "x"), 100'000'000);
  EXPECT_EQ(safetensorsHeaderBytes(start(3), 10, "x").error().context, "x, byte 0");
  EXPECT_FALSE(safetensorsHeaderBytes(start(100'000'001), 200'000'000, "x"));
  EXPECT_FALSE(safetensorsHeaderBytes("1234567", 7, "x"));
}

}  // namespace
}  // namespace stagelane::checkpoint
