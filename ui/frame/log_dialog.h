#pragma once

/// The log of a run's engine, shown by the window itself: a desktop without a program for text
/// files opens nothing and reports nothing. From here, another program can be asked to open it.

#include <QDialog>
#include <QLabel>
#include <QPlainTextEdit>
#include <QString>

#include "ui/kit/latest_job.h"

namespace stagelane::ui {

class LogDialog final : public QDialog {
  Q_OBJECT

 public:
  /// Reads the file in another thread, and shows its end: the cause of a failure is there.
  LogDialog(const QString& path, QWidget* parent);

 private:
  void build();
  void read();
  void openInEditor();
  void say(const QString& note);

  QString m_path;
  LatestJob m_job;
  QPlainTextEdit* m_text;
  QLabel* m_note;
};

}  // namespace stagelane::ui
