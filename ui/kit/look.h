#pragma once

/// Helpers for building widgets in the house look.

#include <QFrame>
#include <QLabel>
#include <QString>
#include <QStyle>
#include <QWidget>

#include "ui/kit/text/formatting.h"

namespace stagelane::ui {

/// Opacity of values that are being recomputed.
inline constexpr qreal kDimmed = 0.45;

/// Sets the property that the style sheet selects by, and reapplies the style.
inline void setLook(QWidget* widget, const QString& look) {
  if (widget->property("look").toString() == look) return;
  widget->setProperty("look", look);
  widget->setAttribute(Qt::WA_StyledBackground);
  widget->style()->unpolish(widget);
  widget->style()->polish(widget);
}

/// A red border around a field with invalid contents.
inline void setWrong(QWidget* field, bool wrong) {
  if (field->property("wrong").toBool() == wrong) return;
  field->setProperty("wrong", wrong);
  field->style()->unpolish(field);
  field->style()->polish(field);
}

/// Sets the objectName, for tests and scripts, and the accessible name, for screen readers.
inline void setNames(QWidget* widget, const QString& objectName, const QString& accessibleName) {
  widget->setObjectName(objectName);
  widget->setAccessibleName(accessibleName);
}

inline QLabel* mutedLabel(const QString& text, QWidget* parent) {
  auto* label = new QLabel(text, parent);
  setLook(label, u"muted"_s);
  return label;
}

inline QFrame* verticalLine(QWidget* parent) {
  auto* line = new QFrame(parent);
  setLook(line, u"line"_s);
  line->setFixedSize(1, 20);
  return line;
}

}  // namespace stagelane::ui
