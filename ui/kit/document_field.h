#pragma once

/// Fields that edit the document. Ctrl+Z in one undoes what was typed; where nothing is left to
/// undo there, it is the document's, as it is everywhere else.

class QLineEdit;
class QSpinBox;

namespace stagelane::ui {

void leaveUndoToDocument(QLineEdit* field);
void leaveUndoToDocument(QSpinBox* field);

}  // namespace stagelane::ui
