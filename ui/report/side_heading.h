#pragma once

/// A heading in the side panel of the Report page.

#include <QLabel>
#include <QLayout>

#include "ui/kit/look.h"
#include "ui/kit/theme.h"

namespace stagelane::ui {

inline void addSideHeading(const QString& text, QWidget* side) {
  QLabel* label = mutedLabel(text, side);
  label->setFont(fontOf(TextSize::Caption, TextWeight::Bold));
  side->layout()->addWidget(label);
}

}  // namespace stagelane::ui
