#pragma once

/// Fields that edit the document. Ctrl+Z first undoes typing in the field, then edits of the
/// document.

class QLineEdit;
class QSpinBox;

namespace stagelane::ui {

void leaveUndoToDocument(QLineEdit* field);
void leaveUndoToDocument(QSpinBox* field);

}  // namespace stagelane::ui
