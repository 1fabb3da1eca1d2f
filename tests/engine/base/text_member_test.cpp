#include "engine/base/text_member.h"

#include <gtest/gtest.h>

namespace stagelane {
namespace {

TEST(TextMember, IsAskedOfAnything) {
  EXPECT_EQ(textMember(Json(5), "name"), "");
  EXPECT_EQ(textMember(Json{{"name", 5}}, "name", "none"), "none");
  EXPECT_EQ(textMember(Json{{"name", "a"}}, "name", "none"), "a");
}

}  // namespace
}  // namespace stagelane
