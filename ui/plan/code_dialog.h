#pragma once

/// The current variant's plan as code: choose a format, read it, copy or save it. Generated in
/// another thread, because the order of `auto` may still be open.

#include <QDialog>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>

#include "engine/codegen/code_export.h"
#include "ui/kit/combo.h"
#include "ui/kit/latest_job.h"

namespace stagelane::ui {

class Session;

class CodeDialog final : public QDialog {
  Q_OBJECT

 public:
  CodeDialog(Session* session, QWidget* parent);
  /// @pre accepted
  [[nodiscard]] QString writtenPath() const { return m_written; }

 private:
  void build();
  void refresh();
  void show(const Result<codegen::ExportedCode>& code);
  void saveAs();
  [[nodiscard]] codegen::CodeForm form() const;

  Session* m_session;
  LatestJob m_job;
  Combo* m_form;
  QLabel* m_about;
  QPlainTextEdit* m_text;
  QLabel* m_notes;
  QPushButton* m_copy;
  QPushButton* m_save;
  QString m_written;
};

}  // namespace stagelane::ui
