#include "engine/base/find.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace stagelane {
namespace {

struct Named {
  std::string name;
  int value = 0;
  [[nodiscard]] int twice() const { return 2 * value; }
};

TEST(Find, ContainsTellsWhetherAValueIsListed) {
  const std::vector<int> list{1, 2};
  EXPECT_TRUE(contains(list, 2));
  EXPECT_FALSE(contains(list, 3));
  EXPECT_FALSE(contains(std::vector<int>{}, 1));
}

TEST(Find, FindByAnswersTheFirstWithThatMember) {
  std::vector<Named> list{{"a", 1}, {"b", 2}, {"b", 3}};
  Named* found = findBy(list, &Named::name, "b");
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->value, 2);
  found->value = 5;
  EXPECT_EQ(list[1].value, 5);
  EXPECT_EQ(findBy(list, &Named::twice, 6), &list[2]);
}

TEST(Find, AnswersNullForNone) {
  const std::vector<Named> list{{"a", 1}};
  EXPECT_EQ(findBy(list, &Named::name, "b"), nullptr);
  EXPECT_EQ(findIf(list, [](const Named& one) { return one.value > 1; }), nullptr);
}

}  // namespace
}  // namespace stagelane
