#pragma once

/// Chooses a model: one of the zoo with its sizes, or a file, and the shape of a sample. Used where
/// an experiment begins and where its model is changed. Edits a value of its own; whoever shows it
/// checks the value and says what is wrong.

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
  /// The input is empty while what stands in its field is no shape.
  [[nodiscard]] ModelChoice choice() const;
  /// A size is none that its field takes, which says so; the choice makes no model then.
  [[nodiscard]] bool wrong() const;
  /// One more field below, in the same columns. @pre `field` is the note's editor
  void addRow(const QString& label, NotedField* note, QWidget* field);
  /// Beside the model, and beside the input; empty where nothing is wrong.
  void setProblems(const QString& ofModel, const QString& ofInput);

 Q_SIGNALS:
  void changed();
  void zooChosen(const QString& name);  ///< another model of the zoo, by hand

 private:
  void build();
  QWidget* buildFile();
  void chooseModel(int row);
  void showSizes(const std::string& zooName, const Json& definition);
  QWidget* sizeField(const model::ZooSize& size, const Json& value);
  void browse();
  /// Where nobody wrote another input, that of the model.
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
  QString m_chosen;  ///< of the box
  Json m_other;      ///< a definition that the form has no fields for: layers, written out
  std::vector<NotedField*> m_sizeNotes;
  std::vector<std::function<void(Json&)>> m_writers;  ///< of the sizes into a definition
};

}  // namespace stagelane::ui
