#include "ui/kit/control_action.h"

#include <QAbstractButton>
#include <QComboBox>
#include <QEvent>
#include <QLineEdit>

#include "ui/kit/text/formatting.h"

namespace stagelane::ui {

ControlAction::ControlAction(const QString& text, QWidget* control, QObject* parent,
                             WhileHidden hidden)
    : QAction(text, parent), m_control(control), m_whileHidden(hidden) {
  setObjectName(control->objectName() + u"Action"_s);
  control->installEventFilter(this);
  connect(this, &QAction::triggered, control, [this] { use(); });
  connect(control, &QObject::destroyed, this, &QObject::deleteLater);
  follow();
}

void ControlAction::use() {
  if (auto* button = qobject_cast<QAbstractButton*>(m_control)) {
    button->click();
    return;
  }
  m_control->setFocus(Qt::ShortcutFocusReason);
  if (auto* combo = qobject_cast<QComboBox*>(m_control)) {
    combo->showPopup();
  } else if (auto* field = qobject_cast<QLineEdit*>(m_control)) {
    field->selectAll();
  }
}

void ControlAction::follow() {
  setEnabled(m_control->isEnabled() &&
             (m_whileHidden == WhileHidden::On || !m_control->isHidden()));
}

bool ControlAction::eventFilter(QObject* watched, QEvent* event) {
  const QEvent::Type type = event->type();
  if (watched == m_control && (type == QEvent::EnabledChange || type == QEvent::ShowToParent ||
                               type == QEvent::HideToParent)) {
    follow();
  }
  return QAction::eventFilter(watched, event);
}

}  // namespace stagelane::ui
