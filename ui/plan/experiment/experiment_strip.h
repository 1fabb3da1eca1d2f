#pragma once

/// Settings shared by all variants: model, data, loss, optimizer, repeats. A one-line summary with
/// the number of repeats, and a form that opens below it.

#include <QAction>
#include <QLabel>
#include <QToolButton>
#include <QWidget>

#include "ui/plan/experiment/experiment_form.h"

namespace stagelane::ui {

class Session;

class ExperimentStrip final : public QWidget {
  Q_OBJECT

 public:
  explicit ExperimentStrip(Session* session, QWidget* parent = nullptr);
  void setOpen(bool open);
  [[nodiscard]] bool isOpen() const { return m_form->isVisibleTo(this); }
  [[nodiscard]] QList<QAction*> actions() const { return {m_showForm, m_changeModel}; }

 protected:
  /// Fits the summary to the width.
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QWidget* buildLine();
  void refresh();
  void refreshSummary();
  void openModelDialog();

  Session* m_session;
  DocumentFields m_fields;
  QAction* m_showForm;
  QAction* m_changeModel;
  QToolButton* m_toggle = nullptr;
  QLabel* m_summary = nullptr;
  QLabel* m_warmup = nullptr;
  ExperimentForm* m_form = nullptr;
};

}  // namespace stagelane::ui
