#include "ui/kit/control_action.h"

#include <gtest/gtest.h>

#include <QAbstractItemView>
#include <QComboBox>
#include <QLineEdit>
#include <QPointer>
#include <QPushButton>
#include <QTest>
#include <memory>

namespace stagelane::ui {
namespace {

TEST(ControlAction, ClicksItsButtonAndIsOffWithIt) {
  QWidget page;
  auto* button = new QPushButton(&page);
  button->setObjectName(QStringLiteral("go"));
  int clicks = 0;
  QObject::connect(button, &QPushButton::clicked, [&clicks] { ++clicks; });
  ControlAction action(QStringLiteral("Go"), button, nullptr);
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

TEST(ControlAction, GoesIntoAFieldAndOpensACombo) {
  QWidget page;
  auto* field = new QLineEdit(QStringLiteral("8"), &page);
  auto* combo = new QComboBox(&page);
  combo->addItem(QStringLiteral("gpipe"));
  page.show();
  ControlAction split(QStringLiteral("Split size…"), field, nullptr);
  split.trigger();
  EXPECT_TRUE(QTest::qWaitFor([&] { return field->hasFocus(); }));
  EXPECT_EQ(field->selectedText(), QStringLiteral("8"));
  ControlAction schedule(QStringLiteral("Schedule…"), combo, nullptr);
  schedule.trigger();
  EXPECT_TRUE(combo->view()->isVisible());
}

TEST(ControlAction, MayBeOnWhereThereIsNoRoomForItsButton) {
  QWidget page;
  auto* button = new QPushButton(&page);
  page.show();
  button->hide();
  const ControlAction action(QStringLiteral("Next"), button, nullptr, WhileHidden::On);
  EXPECT_TRUE(action.isEnabled());
  button->setEnabled(false);
  EXPECT_FALSE(action.isEnabled());
}

TEST(ControlAction, GoesWithItsButton) {
  auto button = std::make_unique<QPushButton>();
  const QPointer<ControlAction> action =
      new ControlAction(QStringLiteral("Go"), button.get(), qApp);
  button.reset();
  EXPECT_TRUE(QTest::qWaitFor([&] { return action.isNull(); }, 5000));
}

}  // namespace
}  // namespace stagelane::ui
