#pragma once

/// Message dialogs in the window's look. Each answer names its effect and has an objectName.

#include <QString>
#include <QWidget>
#include <vector>

namespace stagelane::ui {

struct Answer {
  QString name;  ///< objectName
  QString text;
};

struct Question {
  QString name;  ///< objectName of the dialog
  QString title;
  QString text;
  QString detail;               ///< may be empty
  std::vector<Answer> answers;  ///< Enter chooses the first, Esc the last
  bool careful = false;         ///< the first cannot be undone: Enter chooses the last, too
};

/// Returns the index in `answers`. @thread the window's; returns when answered
[[nodiscard]] std::size_t ask(QWidget* parent, const Question& question);
/// Whether a typed file may be written: asks if it exists, unless it is `agreed`, which was
/// confirmed or written before. @thread as ask
[[nodiscard]] bool mayReplace(QWidget* parent, const QString& path, const QString& agreed);
/// A message with an OK button.
void tell(QWidget* parent, const QString& text, const QString& detail = {});

}  // namespace stagelane::ui
