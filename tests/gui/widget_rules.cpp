#include "tests/gui/widget_rules.h"

#include <gtest/gtest.h>

#include <QAbstractButton>
#include <QAbstractSpinBox>
#include <QAccessible>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QScrollArea>
#include <QToolButton>

namespace stagelane::gui {
namespace {

bool isForPeople(const QWidget& widget) {
  const bool isPart = qobject_cast<QAbstractSpinBox*>(widget.parentWidget()) != nullptr ||
                      qobject_cast<QComboBox*>(widget.parentWidget()) != nullptr ||
                      widget.objectName().startsWith(QStringLiteral("qt_"));
  return !isPart && (widget.focusPolicy() & Qt::TabFocus) != 0 &&
         !widget.inherits("QAbstractScrollArea");
}

/// The width that a label or a button needs for its text; 0 for others and for texts that wrap.
int widthOfText(const QWidget& widget) {
  if (const auto* label = qobject_cast<const QLabel*>(&widget)) {
    return label->wordWrap() ? 0 : label->sizeHint().width() - 1;
  }
  if (const auto* button = qobject_cast<const QToolButton*>(&widget)) {
    const bool showsText =
        button->toolButtonStyle() != Qt::ToolButtonIconOnly || button->icon().isNull();
    return showsText ? button->fontMetrics().horizontalAdvance(button->text()) : 0;
  }
  const auto* button = qobject_cast<const QAbstractButton*>(&widget);
  return button == nullptr ? 0 : button->fontMetrics().horizontalAdvance(button->text());
}

std::string nameOf(const QWidget& widget) {
  QString text =
      QString::fromLatin1(widget.metaObject()->className()) + QChar(u' ') + widget.objectName();
  if (const auto* label = qobject_cast<const QLabel*>(&widget)) {
    text += QStringLiteral(" \"") + label->text() + QChar(u'"');
  }
  return (text + QStringLiteral(" in ") + widget.parentWidget()->objectName()).toStdString();
}

}  // namespace

void expectNames(const QWidget& window) {
  for (QWidget* widget : window.findChildren<QWidget*>()) {
    if (widget->isVisible() && isForPeople(*widget)) {
      const QAccessibleInterface* accessible = QAccessible::queryAccessibleInterface(widget);
      ASSERT_NE(accessible, nullptr);
      EXPECT_FALSE(accessible->text(QAccessible::Name).isEmpty()) << nameOf(*widget);
      EXPECT_FALSE(widget->objectName().isEmpty()) << nameOf(*widget);
    }
  }
}

void expectUncutTexts(const QWidget& window) {
  for (const QWidget* widget : window.findChildren<QWidget*>()) {
    if (widget->isVisible() && widget->sizePolicy().horizontalPolicy() != QSizePolicy::Ignored) {
      EXPECT_GE(widget->width(), widthOfText(*widget)) << nameOf(*widget);
    }
  }
}

void expectNothingBesideTheView(const QWidget& window) {
  for (const QScrollArea* area : window.findChildren<QScrollArea*>()) {
    if (area->isVisible() && area->widget() != nullptr &&
        area->horizontalScrollBarPolicy() == Qt::ScrollBarAlwaysOff) {
      EXPECT_LE(area->widget()->width(), area->viewport()->width()) << nameOf(*area);
    }
  }
}

void expectTabOrder(const QWidget& window) {
  const QWidget* before = nullptr;
  QRect placeBefore;
  for (const QWidget* at = window.nextInFocusChain(); at != &window; at = at->nextInFocusChain()) {
    if (at->window() != &window || !at->isVisible() || at->focusProxy() != nullptr ||
        (at->focusPolicy() & Qt::TabFocus) == 0) {
      continue;
    }
    const QRect place(at->mapTo(&window, QPoint()), at->size());
    const bool below = place.top() >= placeBefore.bottom();
    const bool sameRow = place.bottom() > placeBefore.top();
    EXPECT_TRUE(before == nullptr || below || (sameRow && place.left() >= placeBefore.right()))
        << "Tab goes back from " << nameOf(*before) << " to " << nameOf(*at);
    before = at;
    placeBefore = place;
  }
}

void expectToolTips(const QWidget& window) {
  for (const QWidget* widget : window.findChildren<QWidget*>()) {
    const bool control = qobject_cast<const QAbstractButton*>(widget) != nullptr ||
                         qobject_cast<const QComboBox*>(widget) != nullptr ||
                         qobject_cast<const QLineEdit*>(widget) != nullptr ||
                         qobject_cast<const QAbstractSpinBox*>(widget) != nullptr;
    // Parts of a control share its accessible name.
    const bool part = qobject_cast<const QAbstractSpinBox*>(widget->parentWidget()) != nullptr ||
                      qobject_cast<const QComboBox*>(widget->parentWidget()) != nullptr ||
                      qobject_cast<const QLineEdit*>(widget->parentWidget()) != nullptr ||
                      widget->objectName().startsWith(QStringLiteral("qt_"));
    if (control && !part && widget->isVisible()) {
      EXPECT_FALSE(widget->toolTip().isEmpty()) << nameOf(*widget);
    }
  }
}

}  // namespace stagelane::gui
