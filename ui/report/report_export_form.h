#pragma once

/// Format, colors and file of the report, the progress of writing it, and the result.

#include <QWidget>

#include "ui/report/report.h"

class QAction;
class QComboBox;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;

namespace stagelane::ui {

class CurrentTheme;

class ReportExportForm final : public QWidget {
  Q_OBJECT

 public:
  ReportExportForm(const CurrentTheme* theme, QWidget* parent);

  /// For an opened run: the file is `report` in its folder, with the suffix of the chosen format.
  void setFolder(const QString& folder);
  /// The file to write, absolute; empty if the user does not want to replace it.
  [[nodiscard]] QString fileToWrite();
  /// The page wrote this file and may overwrite it without asking.
  void setWritten(const QString& path) { m_written = path; }
  /// Theme of HTML on a screen.
  [[nodiscard]] ReportTheme theme() const;
  void say(const QString& text, bool problem);
  /// Progress below the button; `of` 0: unknown end.
  void setWork(const QString& text, int done, int of);
  void showWork(bool shown, bool cancelable);
  [[nodiscard]] QPushButton* exportButton() const { return m_export; }
  [[nodiscard]] const QList<QAction*>& formActions() const { return m_actions; }

 Q_SIGNALS:
  void exportWanted();
  void cancelWanted();

 private:
  QWidget* buildChoices();
  QWidget* buildFile();
  QWidget* buildWork();
  void browse();
  void matchEnding();
  void followPath();

  QString m_folder;
  QString m_written;
  QComboBox* m_format = nullptr;
  QComboBox* m_theme = nullptr;
  QLineEdit* m_path = nullptr;
  QPushButton* m_export = nullptr;
  QLabel* m_message = nullptr;
  QWidget* m_work = nullptr;
  QLabel* m_workText = nullptr;
  QProgressBar* m_workBar = nullptr;
  QPushButton* m_workCancel = nullptr;
  QList<QAction*> m_actions;
};

}  // namespace stagelane::ui
