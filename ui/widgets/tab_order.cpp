#include "ui/widgets/tab_order.h"

#include <QLayout>

namespace stagelane::ui {
namespace {

void collect(const QLayout& layout, QWidgetList& controls) {
  for (int at = 0; at < layout.count(); ++at) {
    QLayoutItem* item = layout.itemAt(at);
    QWidget* widget = item->widget();
    const QLayout* inner = widget == nullptr ? item->layout() : widget->layout();
    // What takes the focus itself lays its own parts out.
    if (widget != nullptr && (widget->focusPolicy() & Qt::TabFocus) != 0) {
      controls.append(widget);
    } else if (inner != nullptr) {
      collect(*inner, controls);
    }
  }
}

}  // namespace

void orderTabsByLayout(QWidget& window) {
  QWidgetList controls;
  if (window.layout() != nullptr) {
    collect(*window.layout(), controls);
  }
  for (qsizetype at = 1; at < controls.size(); ++at) {
    QWidget::setTabOrder(controls[at - 1], controls[at]);
  }
}

}  // namespace stagelane::ui
