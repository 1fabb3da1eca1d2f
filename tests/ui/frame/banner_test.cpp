#include "ui/frame/banner.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QLineEdit>
#include <QPushButton>
#include <QTest>
#include <QVBoxLayout>

#include "ui/kit/current_theme.h"
#include "ui/session/session.h"

namespace stagelane::ui {
namespace {

TEST(BannerTest, AClickOnItsButtonLeavesTheKeyboardWhereItWas) {
  Session session;
  QWidget page;
  auto* layout = new QVBoxLayout(&page);
  auto* banner = new Banner(session.currentTheme(), QStringLiteral("banner"), &page);
  auto* other = new QLineEdit(&page);
  auto* field = new QLineEdit(&page);
  for (QWidget* widget : std::initializer_list<QWidget*>{banner, other, field}) {
    layout->addWidget(widget);
  }
  banner->show(Tone::Neutral, QStringLiteral("Something happened"), {},
               {{QStringLiteral("dismiss"), QStringLiteral("Dismiss"),
                 [banner] { banner->clear(); }, QStringLiteral("Puts these words away")}});
  page.show();
  ASSERT_TRUE(QTest::qWaitForWindowActive(&page));
  field->setFocus();
  QTest::mouseClick(banner->findChild<QPushButton*>(QStringLiteral("dismiss")), Qt::LeftButton);
  EXPECT_FALSE(banner->isVisible());
  EXPECT_EQ(QApplication::focusWidget(), field);
}

}  // namespace
}  // namespace stagelane::ui
