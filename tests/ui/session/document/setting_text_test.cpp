#include "ui/session/document/setting_text.h"

#include <gtest/gtest.h>

#include "tests/support/german_numbers.h"
#include "ui/kit/text/translation.h"

namespace stagelane::ui {
namespace {

std::string shown(const char* setting) { return settingText(Json::parse(setting)).toStdString(); }

TEST(SettingText, KeepsANumberAsItWasTyped) {
  for (const char* typed : {"0.1", "0.001", "1e-08", "2.5", "9007199254740993"}) {
    EXPECT_EQ(shown(typed), typed);
  }
  EXPECT_EQ(shown("2.0"), "2");
}

TEST(SettingText, HasTheDecimalSignOfTheScreenExceptInFiles) {
  const test::GermanNumbers german;
  EXPECT_EQ(shown(R"({"kind": "adam", "lr": 0.25, "betas": [0.5, 0.75]})"),
            "kind adam, lr 0,25, betas 0,5, 0,75");
  const FileNumbers inFiles;
  EXPECT_EQ(shown("0.25"), "0.25");
}

}  // namespace
}  // namespace stagelane::ui
