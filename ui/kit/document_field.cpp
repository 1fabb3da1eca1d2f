#include "ui/kit/document_field.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QSpinBox>

namespace stagelane::ui {
namespace {

/// A line edit accepts the undo and redo keys even if it has nothing to undo. Ignoring them then
/// leaves them to the window's shortcuts.
class UndoFilter final : public QObject {
 public:
  UndoFilter(QLineEdit* edit, QObject* parent) : QObject(parent), m_edit(edit) {}

  bool eventFilter(QObject*, QEvent* event) override {
    if (event->type() != QEvent::ShortcutOverride) return false;
    const auto* key = static_cast<const QKeyEvent*>(event);
    const bool undo = key->matches(QKeySequence::Undo) && !m_edit->isUndoAvailable();
    const bool redo = key->matches(QKeySequence::Redo) && !m_edit->isRedoAvailable();
    if (undo || redo) event->ignore();
    return undo || redo;
  }

 private:
  QLineEdit* m_edit;
};

}  // namespace

void leaveUndoToDocument(QLineEdit* field) {
  field->installEventFilter(new UndoFilter(field, field));
}

void leaveUndoToDocument(QSpinBox* field) {
  auto* edit = field->findChild<QLineEdit*>();
  field->installEventFilter(new UndoFilter(edit, field));
  // The text is now a step of the document; setting it clears the field's own undo history.
  QObject::connect(field, &QSpinBox::editingFinished, edit, [edit] {
    const QSignalBlocker quiet(edit);
    edit->setText(edit->text());
  });
}

}  // namespace stagelane::ui
