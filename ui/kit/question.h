#pragma once

/// Questions and messages of the window, in its own look: each answer says what it does, and has a
/// name by which tests press it.

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
  std::vector<Answer> answers;  ///< Enter is the first, Esc the last
  bool careful = false;         ///< the first cannot be taken back: Enter is the last as well
};

/// The place of the answer in `answers`. @thread the window's; returns when it is answered
[[nodiscard]] std::size_t ask(QWidget* parent, const Question& question);
/// Whether a file that was typed may be written: asks where there is one already, unless it is
/// `agreed`, which was chosen or written before. @thread as ask
[[nodiscard]] bool mayReplace(QWidget* parent, const QString& path, const QString& agreed);
/// Something to read, and OK.
void tell(QWidget* parent, const QString& text, const QString& detail = {});

}  // namespace stagelane::ui
