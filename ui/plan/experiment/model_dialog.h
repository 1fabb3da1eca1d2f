#pragma once

/// Changes the model of the open experiment: another one, its sizes, or a file. One undoable step;
/// what the model does not take is said at the field, and nothing is changed.

#include <QDialog>
#include <QLabel>

#include "ui/plan/experiment/model_form.h"
#include "ui/session/document/model_change.h"

namespace stagelane::ui {

class Session;

class ModelDialog final : public QDialog {
  Q_OBJECT

 public:
  ModelDialog(Session* session, QWidget* parent);

 private:
  void finish();

  Session* m_session;
  ModelForm* m_model;
};

}  // namespace stagelane::ui
