#pragma once

/// The contents of a report: title, question, sections, and a note.

#include <QTimer>
#include <QWidget>
#include <vector>

#include "ui/report/report_document.h"

class QAction;
class QCheckBox;
class QLineEdit;
class QPlainTextEdit;
class QVBoxLayout;

namespace stagelane::ui {

class ReportContentsForm final : public QWidget {
  Q_OBJECT

 public:
  explicit ReportContentsForm(QWidget* parent);

  [[nodiscard]] ReportContents contents() const;
  /// Placeholders: the title and question of a report without input.
  void setDefaults(const QString& title, const QString& question);
  /// An edit has not been signaled by `changed` yet.
  [[nodiscard]] bool typing() const { return m_typing.isActive(); }
  /// Suppresses `changed` for the edits so far.
  void stopTyping() { m_typing.stop(); }
  [[nodiscard]] const QList<QAction*>& switchActions() const { return m_actions; }

 Q_SIGNALS:
  /// Immediately for a section; for a text when typing pauses.
  void changed();

 private:
  struct Switch {
    QCheckBox* box = nullptr;
    bool ReportContents::*member = nullptr;
  };
  QLineEdit* addField(const QString& heading, const QString& name, const QString& words);
  void addSwitches();
  void addSwitch(QWidget* column, const QString& name, const QString& text,
                 bool ReportContents::*member);
  void addNote();

  QVBoxLayout* m_layout;
  QLineEdit* m_title = nullptr;
  QLineEdit* m_question = nullptr;
  QPlainTextEdit* m_note = nullptr;
  std::vector<Switch> m_switches;
  QList<QAction*> m_actions;
  QTimer m_typing;
};

}  // namespace stagelane::ui
