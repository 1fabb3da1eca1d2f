#include "ui/kit/noted_field.h"

#include "ui/kit/boxes.h"
#include "ui/kit/look.h"
#include "ui/kit/text/formatting.h"

namespace stagelane::ui {

NotedField::NotedField(QWidget* editor, QWidget* parent)
    : QWidget(parent), m_editor(editor), m_note(new QLabel(this)) {
  columnLayout(this, {.margins = {0, 0, 0, 0}, .spacing = 2}, {editor, m_note});
  setNames(m_note, editor->objectName() + u"Problem"_s,
           tr("Error in %1").arg(editor->accessibleName()));
  m_note->setWordWrap(true);
  setLook(m_note, u"error"_s);
  m_note->hide();
}

QLabel* NotedField::takeNote() {
  layout()->removeWidget(m_note);
  m_note->setWordWrap(false);
  return m_note;
}

void NotedField::setProblem(const QString& problem) {
  m_note->setText(problem);
  m_note->setVisible(!problem.isEmpty());
  setWrong(m_editor, !problem.isEmpty());
}

}  // namespace stagelane::ui
