#pragma once

/// Copying and deleting a tab with its locks, which are no part of the document: one undo step
/// each.

#include <QString>

#include "ui/session/document/document.h"

namespace stagelane::ui {

/// The copy stands behind the original and has what it locks. @returns its id; the original's where
/// there is none
QString duplicateTab(ExperimentDocument& document, const QString& tabId);

/// The only tab stays.
void removeTab(ExperimentDocument& document, const QString& tabId);

}  // namespace stagelane::ui
