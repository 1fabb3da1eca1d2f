#pragma once

/// Choices about the window itself (a closed side panel, the width of chips) that persist between
/// sessions. Pages mark the controls; the window saves their state by objectName.

#include <QAbstractButton>
#include <QAction>
#include <QComboBox>
#include <QObject>
#include <QVariant>

namespace stagelane::ui {

/// Set while the page, not the user, determines the state; such a state is not saved.
inline constexpr const char* kFitted = "fitted";

/// Marks a checkable action, a checkable button, or a combo box with fixed entries.
inline void keepChoice(QObject* control) { control->setProperty("kept", true); }

[[nodiscard]] inline bool mayKeepChoice(const QObject& control) {
  return control.property("kept").toBool();
}
/// Whether the user chose the current state.
[[nodiscard]] inline bool keepsChoice(const QObject& control) {
  return mayKeepChoice(control) && !control.property(kFitted).toBool();
}

[[nodiscard]] inline QVariant choiceOf(const QObject& control) {
  if (const auto* action = qobject_cast<const QAction*>(&control)) return action->isChecked();
  if (const auto* button = qobject_cast<const QAbstractButton*>(&control)) {
    return button->isChecked();
  }
  const auto* combo = qobject_cast<const QComboBox*>(&control);
  return combo == nullptr ? QVariant() : combo->currentIndex();
}

/// Sets the state as if the user had chosen it.
inline void setChoice(QObject& control, const QVariant& choice) {
  control.setProperty(kFitted, false);
  if (auto* action = qobject_cast<QAction*>(&control)) {
    action->setChecked(choice.toBool());
  } else if (auto* button = qobject_cast<QAbstractButton*>(&control)) {
    button->setChecked(choice.toBool());
  } else if (auto* combo = qobject_cast<QComboBox*>(&control);
             combo != nullptr && choice.toInt() >= 0 && choice.toInt() < combo->count()) {
    combo->setCurrentIndex(choice.toInt());
  }
}

}  // namespace stagelane::ui
