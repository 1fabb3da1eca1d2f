#include "ui/widgets/button_action.h"

#include <QEvent>

namespace stagelane::ui {

ButtonAction::ButtonAction(const QString& text, QAbstractButton* button, QObject* parent)
    : QAction(text, parent), m_button(button) {
  setObjectName(button->objectName() + QStringLiteral("Action"));
  button->installEventFilter(this);
  connect(this, &QAction::triggered, button, [button] { button->click(); });
  connect(button, &QObject::destroyed, this, &QObject::deleteLater);
  follow();
}

void ButtonAction::follow() { setEnabled(m_button->isEnabled() && !m_button->isHidden()); }

bool ButtonAction::eventFilter(QObject* watched, QEvent* event) {
  const QEvent::Type type = event->type();
  if (watched == m_button && (type == QEvent::EnabledChange || type == QEvent::ShowToParent ||
                              type == QEvent::HideToParent)) {
    follow();
  }
  return QAction::eventFilter(watched, event);
}

}  // namespace stagelane::ui
