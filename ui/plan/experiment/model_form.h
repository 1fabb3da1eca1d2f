#pragma once

/// Form for a model of the zoo with its sizes, or a model file, and the shape of a sample. Used to
/// create an experiment and to change its model. Edits its own value; the caller checks it and
/// reports problems.

#include <QFormLayout>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QWidget>
#include <functional>
#include <vector>

#include "engine/base/json.h"
#include "engine/model/zoo_sizes.h"
#include "ui/kit/combo.h"
#include "ui/kit/noted_field.h"
#include "ui/session/document/new_experiment.h"

namespace stagelane::ui {

class CurrentTheme;

class ModelForm final : public QWidget {
  Q_OBJECT

 public:
  /// `baseFolder` resolves the path of a model file.
  ModelForm(const CurrentTheme* theme, const QString& baseFolder, QWidget* parent);

  void setChoice(const ModelChoice& choice);
  /// The input is empty while its field has no valid shape.
  [[nodiscard]] ModelChoice choice() const;
  /// Whether a size is invalid, which its field reports; the choice is then not a model.
  [[nodiscard]] bool wrong() const;
  /// Adds a field below, in the same columns. @pre `field` is the note's editor
  void addRow(const QString& label, NotedField* note, QWidget* field);
  /// Shown at the model and at the input; empty: no problem.
  void setProblems(const QString& ofModel, const QString& ofInput);

 Q_SIGNALS:
  void changed();
  void zooChosen(const QString& name);  ///< the user chose another model of the zoo

 private:
  void build();
  QWidget* buildFile();
  void chooseModel(int row);
  void showSizes(const std::string& zooName, const Json& definition);
  QWidget* sizeField(const model::ZooSize& size, const Json& value);
  void browse();
  /// Sets the model's default input unless the user entered one.
  void suggestInput(const model::Shape& wanted);
  [[nodiscard]] Json definition() const;
  [[nodiscard]] bool isFile() const;

  QString m_baseFolder;
  Combo* m_model;
  NotedField* m_modelNote = nullptr;
  QLabel* m_about;
  QWidget* m_fileRow = nullptr;
  QLineEdit* m_file;
  QWidget* m_sizes = nullptr;
  QGridLayout* m_sizeGrid = nullptr;
  QLineEdit* m_input;
  NotedField* m_inputNote = nullptr;
  QFormLayout* m_form = nullptr;
  QString m_suggested;
  QString m_chosen;  ///< in the combo box
  Json m_other;      ///< explicit layers, for which the form has no fields
  std::vector<NotedField*> m_sizeNotes;
  std::vector<std::function<void(Json&)>> m_writers;  ///< write the sizes into a definition
};

}  // namespace stagelane::ui
