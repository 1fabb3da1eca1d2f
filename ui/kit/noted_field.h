#pragma once

/// A field with room below it for an error. The field has a red border while the error is shown.

#include <QLabel>
#include <QWidget>

namespace stagelane::ui {

class NotedField final : public QWidget {
  Q_OBJECT

 public:
  /// Takes `editor`, whose names must be set: the note derives its own from them.
  explicit NotedField(QWidget* editor, QWidget* parent = nullptr);
  /// Empty: no error.
  void setProblem(const QString& problem);
  /// The error label, for layouts that place it elsewhere.
  [[nodiscard]] QLabel* takeNote();
  [[nodiscard]] bool wrong() const { return !m_note->isHidden(); }

 private:
  QWidget* m_editor;
  QLabel* m_note;
};

}  // namespace stagelane::ui
