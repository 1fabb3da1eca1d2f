#include "ui/kit/tab_order.h"

#include <QApplication>
#include <QLayout>
#include <QScrollArea>
#include <QSplitter>
#include <QStackedWidget>
#include <algorithm>

namespace stagelane::ui {
namespace {

void addPartsOf(const QLayout& layout, QWidgetList& parts) {
  for (int at = 0; at < layout.count(); ++at) {
    QLayoutItem* item = layout.itemAt(at);
    if (item->widget() != nullptr) {
      parts.append(item->widget());
    } else if (item->layout() != nullptr) {
      addPartsOf(*item->layout(), parts);
    }
  }
}

/// Child widgets in visual order.
QWidgetList partsOf(const QWidget& widget) {
  QWidgetList parts;
  if (const auto* splitter = qobject_cast<const QSplitter*>(&widget)) {
    for (int at = 0; at < splitter->count(); ++at) parts.append(splitter->widget(at));
  } else if (const auto* stack = qobject_cast<const QStackedWidget*>(&widget)) {
    parts.append(stack->currentWidget());
  } else if (widget.layout() != nullptr) {
    addPartsOf(*widget.layout(), parts);
  } else {
    parts = widget.findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly);
    std::stable_sort(parts.begin(), parts.end(), [](const QWidget* one, const QWidget* other) {
      return std::pair(one->y(), one->x()) < std::pair(other->y(), other->x());
    });
  }
  parts.removeAll(nullptr);
  return parts;
}

bool takesTab(const QWidget& widget) {
  // A widget with a focus proxy is reached through the proxy.
  return (widget.focusPolicy() & Qt::TabFocus) != 0 && widget.focusProxy() == nullptr;
}

void collect(QWidget& widget, QWidgetList& controls) {
  if (takesTab(widget)) controls.append(&widget);
  for (QWidget* part : partsOf(widget)) {
    if (!part->isWindow()) collect(*part, controls);
  }
}

}  // namespace

void orderTabsByLayout(QWidget& window) {
  QWidgetList controls;
  collect(window, controls);
  for (qsizetype at = 1; at < controls.size(); ++at) {
    QWidget::setTabOrder(controls[at - 1], controls[at]);
  }
}

bool focusNextByLayout(QWidget& window, bool next) {
  QWidgetList controls;
  collect(window, controls);
  const auto usable = [](const QWidget* control) {
    return control->isVisible() && control->isEnabled();
  };
  const QWidget* now = QApplication::focusWidget();
  while (now != nullptr && !controls.contains(now)) now = now->parentWidget();
  const qsizetype count = controls.size();
  const qsizetype from = now == nullptr ? (next ? -1 : count) : controls.indexOf(now);
  for (qsizetype step = 1; step <= count; ++step) {
    QWidget* control = controls[((from + (next ? step : -step)) % count + count) % count];
    if (usable(control)) {
      control->setFocus(next ? Qt::TabFocusReason : Qt::BacktabFocusReason);
      return true;
    }
  }
  return false;
}

}  // namespace stagelane::ui
