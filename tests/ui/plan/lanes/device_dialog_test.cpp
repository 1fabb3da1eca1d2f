#include "ui/plan/lanes/device_dialog.h"

#include <gtest/gtest.h>

#include "tests/support/german_numbers.h"

namespace stagelane::ui {
namespace {

TEST(DeviceDialog, ShowsTheSpeedAsItIsTyped) {
  const test::GermanNumbers german;
  plan::DeviceSpec device;
  device.id = {"sim:0"};
  device.like = DeviceId{"cpu:0"};
  device.speed = 1.5;
  const DeviceDialog dialog(device, {DeviceId{"cpu:0"}}, nullptr);
  auto* speed = dialog.findChild<QLineEdit*>(QStringLiteral("deviceSpeed"));
  ASSERT_NE(speed, nullptr);
  EXPECT_EQ(speed->text().toStdString(), "1,5");
  EXPECT_EQ(dialog.device().speed, 1.5) << "read back when the dialog opens";
  speed->setText(QStringLiteral("0,75"));
  EXPECT_EQ(dialog.device().speed, 0.75);
}

}  // namespace
}  // namespace stagelane::ui
