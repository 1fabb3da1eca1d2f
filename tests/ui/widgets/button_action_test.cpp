#include "ui/widgets/button_action.h"

#include <gtest/gtest.h>

#include <QPointer>
#include <QPushButton>
#include <QTest>
#include <memory>

namespace stagelane::ui {
namespace {

TEST(ButtonAction, ClicksItsButtonAndIsOffWithIt) {
  QWidget page;
  auto* button = new QPushButton(&page);
  button->setObjectName(QStringLiteral("go"));
  int clicks = 0;
  QObject::connect(button, &QPushButton::clicked, [&clicks] { ++clicks; });
  ButtonAction action(QStringLiteral("Go"), button, nullptr);
  EXPECT_EQ(action.objectName(), QStringLiteral("goAction"));
  EXPECT_TRUE(action.isEnabled()) << "its page need not be shown";
  action.trigger();
  EXPECT_EQ(clicks, 1);
  button->setEnabled(false);
  EXPECT_FALSE(action.isEnabled());
  button->setEnabled(true);
  page.show();
  button->hide();
  EXPECT_FALSE(action.isEnabled());
  button->show();
  EXPECT_TRUE(action.isEnabled());
}

TEST(ButtonAction, GoesWithItsButton) {
  auto button = std::make_unique<QPushButton>();
  const QPointer<ButtonAction> action = new ButtonAction(QStringLiteral("Go"), button.get(), qApp);
  button.reset();
  EXPECT_TRUE(QTest::qWaitFor([&] { return action.isNull(); }, 5000));
}

}  // namespace
}  // namespace stagelane::ui
