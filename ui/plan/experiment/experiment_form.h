#pragma once

/// Settings shared by all variants, as a form of four columns: model, data, training, measurement.
/// Every field edits the document.

#include <QFormLayout>
#include <QLineEdit>
#include <QWidget>
#include <vector>

#include "engine/base/json.h"
#include "ui/plan/experiment/document_fields.h"

namespace stagelane::ui {

class Session;

class ExperimentForm final : public QWidget {
  Q_OBJECT

 public:
  explicit ExperimentForm(Session* session, QWidget* parent = nullptr);
  void refresh();

 Q_SIGNALS:
  void changeModelRequested();  ///< to change its sizes, or to a file

 private:
  QFormLayout* addColumn(const QString& heading);
  void addRow(QFormLayout* column, const QString& label, QWidget* field);
  void buildModel();
  void buildData();
  void buildTraining();
  void buildMeasuring();
  void chooseModel(int row);
  void enterInput();
  /// Reports at the field `asking` what the model does not accept.
  void applyModel(const Json& definition, const std::vector<std::int64_t>& input,
                  NotedField* asking);

  Session* m_session;
  DocumentFields m_fields;
  Combo* m_model = nullptr;
  NotedField* m_modelNote = nullptr;
  QLineEdit* m_input = nullptr;
  NotedField* m_inputNote = nullptr;
  QString m_shownInput;
  QFormLayout* m_training = nullptr;
  QWidget* m_momentum = nullptr;
  QWidget* m_betas = nullptr;
  QWidget* m_eps = nullptr;
};

}  // namespace stagelane::ui
