#include "app/window/pages.h"

#include <gtest/gtest.h>

#include <set>

#include "ui/kit/text/formatting.h"

namespace stagelane::app {
namespace {

TEST(Pages, HaveNamesAndKeysOfTheirOwn) {
  std::set<QString> names;
  std::set<Qt::Key> keys;
  for (const ui::PageEntry& page : pages()) {
    SCOPED_TRACE(ui::utf8(page.name));
    EXPECT_TRUE(names.insert(page.name).second);
    EXPECT_TRUE(keys.insert(page.key).second);
    EXPECT_FALSE(page.title.isEmpty());
    EXPECT_FALSE(page.icon.isEmpty());
  }
  EXPECT_EQ(names.size(), pageNames().size());
}

}  // namespace
}  // namespace stagelane::app
