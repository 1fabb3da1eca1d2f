#pragma once

/// Fields that edit the document. Ctrl+Z first undoes typing in the field, then document edits.

class QLineEdit;
class QSpinBox;

namespace stagelane::ui {

void leaveUndoToDocument(QLineEdit* field);
void leaveUndoToDocument(QSpinBox* field);

}  // namespace stagelane::ui
