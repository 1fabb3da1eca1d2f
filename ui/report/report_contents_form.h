#pragma once

/// What a report contains: its title, its question, its sections, and a note.

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
  /// Shown while nothing is typed: what the report says then.
  void setDefaults(const QString& title, const QString& question);
  /// Something was typed that `changed` has not told yet.
  [[nodiscard]] bool typing() const { return m_typing.isActive(); }
  /// `changed` is not told for what was typed so far.
  void stopTyping() { m_typing.stop(); }
  [[nodiscard]] const QList<QAction*>& switchActions() const { return m_actions; }

 Q_SIGNALS:
  /// At once for a section, and for a text when the typing pauses.
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
