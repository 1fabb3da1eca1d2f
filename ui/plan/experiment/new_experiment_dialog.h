#pragma once

/// Creates an experiment from a model, its input, the batch and the devices. Reports problems at
/// each field and summarizes the result. The caller loads the resulting document.

#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTimer>

#include "engine/base/json.h"
#include "ui/kit/integer_box.h"
#include "ui/plan/experiment/model_form.h"
#include "ui/session/document/new_experiment_check.h"

namespace stagelane::ui {

class Session;

class NewExperimentDialog final : public QDialog {
  Q_OBJECT

 public:
  /// `baseFolder` resolves the path of a model file.
  NewExperimentDialog(const Session* session, const QString& baseFolder, QWidget* parent);
  /// @pre accepted
  [[nodiscard]] const Json& document() const { return m_check.document; }

 private:
  void build();
  void begin(const QString& zooName);
  void check();
  void finish();
  [[nodiscard]] NewExperiment experiment() const;

  QString m_baseFolder;
  NewExperimentCheck m_check;
  QLineEdit* m_name;
  ModelForm* m_model;
  IntegerBox* m_batch;
  IntegerBox* m_devices;
  NotedField* m_batchNote = nullptr;
  NotedField* m_devicesNote = nullptr;
  QLabel* m_summary;
  QPushButton* m_create = nullptr;
  QTimer m_soon;  ///< checks when typing pauses
};

}  // namespace stagelane::ui
