#pragma once

/// Choices of a person about the window itself (a side that is closed, the width of chips), which
/// the next start finds as they were left. Pages mark the controls; the window keeps their state
/// under their objectNames.

#include <QAbstractButton>
#include <QAction>
#include <QComboBox>
#include <QObject>
#include <QVariant>

namespace stagelane::ui {

/// What a page fits to what it shows is nobody's choice; it is not kept.
inline constexpr const char* kFitted = "fitted";

/// Marks a checkable action, a checkable button, or a combo box with entries that never change.
inline void keepChoice(QObject* control) { control->setProperty("kept", true); }

[[nodiscard]] inline bool mayKeepChoice(const QObject& control) {
  return control.property("kept").toBool();
}
/// A person has made it.
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

/// As if a person had made the choice.
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
