#include "ui/kit/tab_order.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QPushButton>
#include <QScrollArea>
#include <QSplitter>
#include <QStackedWidget>
#include <QTest>
#include <QVBoxLayout>

namespace stagelane::ui {
namespace {

/// Made in another order than they stand: a, b, c in a splitter, d in a scroll area, e and f
/// without a layout; hidden, disabled and on a page that is not shown: h.
class TabOrder : public testing::Test {
 protected:
  TabOrder() {
    auto* layout = new QVBoxLayout(&m_window);
    auto* splitter = new QSplitter;
    auto* free = new QWidget;
    auto* area = new QScrollArea;
    auto* stack = new QStackedWidget;
    button(QStringLiteral("f"), free)->move(0, 30);
    button(QStringLiteral("e"), free)->move(0, 0);
    area->setWidget(button(QStringLiteral("d"), nullptr));
    area->setFocusPolicy(Qt::NoFocus);
    auto* c = button(QStringLiteral("c"), nullptr);
    splitter->addWidget(button(QStringLiteral("b"), nullptr));
    splitter->addWidget(c);
    layout->addWidget(button(QStringLiteral("a"), nullptr));
    layout->addWidget(splitter);
    layout->addWidget(area);
    free->setMinimumSize(100, 60);
    layout->addWidget(free);
    stack->addWidget(new QWidget);
    stack->addWidget(button(QStringLiteral("h"), nullptr));
    layout->addWidget(stack);
    auto* hidden = button(QStringLiteral("h"), nullptr);
    layout->addWidget(hidden);
    auto* disabled = button(QStringLiteral("h"), nullptr);
    layout->addWidget(disabled);
    m_window.show();
    hidden->hide();
    disabled->setEnabled(false);
    EXPECT_TRUE(QTest::qWaitForWindowActive(&m_window));
  }

  static QPushButton* button(const QString& name, QWidget* parent) {
    auto* made = new QPushButton(name, parent);
    made->setObjectName(name);
    return made;
  }

  /// The names in the order in which they get the focus.
  std::string visited(bool next, int times) {
    QString names;
    for (int at = 0; at < times; ++at) {
      EXPECT_TRUE(focusNextByLayout(m_window, next));
      names += QApplication::focusWidget()->objectName();
    }
    return names.toStdString();
  }

  QWidget m_window;
};

TEST_F(TabOrder, IsThatOfThePlacesAndGoesRound) {
  m_window.findChild<QWidget*>(QStringLiteral("a"))->setFocus();
  EXPECT_EQ(visited(true, 7), "bcdefab");
  EXPECT_EQ(visited(false, 7), "afedcba");
}

TEST_F(TabOrder, WithoutAnythingToUseGoesNowhere) {
  QWidget empty;
  EXPECT_FALSE(focusNextByLayout(empty, true));
}

}  // namespace
}  // namespace stagelane::ui
