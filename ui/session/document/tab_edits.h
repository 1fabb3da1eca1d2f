#pragma once

/// Copies or deletes a tab and its locks, which are not part of the document, in one undo step.

#include <QString>

#include "ui/session/document/document.h"

namespace stagelane::ui {

/// Inserts the copy after the original, with its locks. @returns the copy's id; the original's if
/// there is none
QString duplicateTab(ExperimentDocument& document, const QString& tabId);

/// Does nothing for the only tab.
void removeTab(ExperimentDocument& document, const QString& tabId);

}  // namespace stagelane::ui
