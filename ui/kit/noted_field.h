#pragma once

/// A field with room right below it for the one sentence that says what is wrong with what stands
/// in it. The field gets a red border as long as the sentence is there.

#include <QLabel>
#include <QWidget>

namespace stagelane::ui {

class NotedField final : public QWidget {
  Q_OBJECT

 public:
  /// Takes `editor`, whose names must be set: the note is called after it.
  explicit NotedField(QWidget* editor, QWidget* parent = nullptr);
  /// Empty: nothing is wrong.
  void setProblem(const QString& problem);
  /// The sentence, to be laid out elsewhere where there is no room below the field.
  [[nodiscard]] QLabel* takeNote();
  [[nodiscard]] bool wrong() const { return !m_note->isHidden(); }

 private:
  QWidget* m_editor;
  QLabel* m_note;
};

}  // namespace stagelane::ui
