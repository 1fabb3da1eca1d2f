// A document of another shape is refused before it is edited.

#include "ui/session/document/document_shape.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/support/marked_texts.h"

namespace stagelane::ui {
namespace {

std::string pointerOf(const char* text) {
  const Status status = checkShape(Json::parse(text));
  return status ? "" : status.error().context;
}

TEST(DocumentShape, TakesExperimentsAlsoThoseWithWrongValues) {
  EXPECT_EQ(pointerOf("{}"), "");
  EXPECT_EQ(pointerOf(R"({"devices": {"auto": 2}})"), "");
  EXPECT_EQ(pointerOf(R"({"name": "", "data": {"batch_size": "many"}, "devices": [1],
      "variants": [{"strategy": "none", "placement": "optimal"}, {"placement": {"a": 3}}]})"),
            "");
}

TEST(DocumentShape, NamesTheFirstMemberOfAWrongKind) {
  EXPECT_EQ(pointerOf("[]"), "/");
  EXPECT_EQ(pointerOf("null"), "/");
  EXPECT_EQ(pointerOf(R"({"variants": "x"})"), "/variants");
  EXPECT_EQ(pointerOf(R"({"variants": {"a": 1}})"), "/variants");
  EXPECT_EQ(pointerOf(R"({"variants": [{}, 5]})"), "/variants/1");
  EXPECT_EQ(pointerOf(R"({"data": "x"})"), "/data");
  EXPECT_EQ(pointerOf(R"({"optimizer": [1]})"), "/optimizer");
  EXPECT_EQ(pointerOf(R"({"model": ["resnet50"]})"), "/model");
  EXPECT_EQ(pointerOf(R"({"devices": 2})"), "/devices");
  EXPECT_EQ(pointerOf(R"({"name": 7})"), "/name");
  EXPECT_EQ(pointerOf(R"({"variants": [{"strategy": 1}]})"), "/variants/0/strategy");
  EXPECT_EQ(pointerOf(R"({"variants": [{"placement": 4}]})"), "/variants/0/placement");
  EXPECT_EQ(pointerOf(R"({"variants": [{"include": "no"}]})"), "/variants/0/include");
}

TEST(DocumentShape, SaysWhatWasExpectedAndWhatIsThere) {
  const Status status = checkShape(Json::parse(R"({"variants": "x"})"));
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().message, "not an editable experiment: expected a list, found text");
}

TEST(DocumentShape, SaysItInTheLanguageOfTheWindow) {
  const test::MarkedTexts marked;
  const Status status = checkShape(Json::parse(R"({"variants": "x"})"));
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().message,
            "⟦not an editable experiment: expected ⟦a list⟧, found ⟦text⟧⟧");
  EXPECT_EQ(status.error().hint.rfind("⟦open an experiment", 0), 0U) << status.error().hint;
}

}  // namespace
}  // namespace stagelane::ui
