#pragma once

/// Changes the model of the open experiment, its sizes, or its file, as one undo step. Values that
/// the model does not accept are reported at their field and change nothing.

#include <QDialog>

#include "ui/plan/experiment/model_change.h"
#include "ui/plan/experiment/model_form.h"

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
