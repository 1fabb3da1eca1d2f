#pragma once

/// Facts of the run that is current in the table, its variants, and what a person says about it:
/// star, tags, note. Reads the folder in the background; what is typed is handed on when the field
/// is left.

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QStandardItemModel>
#include <QTableView>
#include <QToolButton>
#include <QWidget>
#include <optional>

#include "engine/workspace/run_index.h"
#include "ui/kit/latest_job.h"

namespace stagelane::ui {

class Session;

class RunsDetails final : public QWidget {
  Q_OBJECT

 public:
  explicit RunsDetails(Session* session, QWidget* parent = nullptr);
  /// Null: nothing is current.
  void show(const workspace::RunEntry* entry);
  /// Buttons for what can be done with the run, at the title's right.
  QToolButton* addButton(QAction* action, const QString& name);
  /// What it is too low by to show all variants; below 0 it has room left.
  [[nodiscard]] int missingHeight() const;
  void editTags();
  void editNote();
  [[nodiscard]] bool busy() const { return m_loading.running(); }

 Q_SIGNALS:
  /// By a key, in the tags or the note: the next key is not meant for them.
  void editingDone();
  /// There are other facts, or another height for them: `missingHeight` may be another.
  void roomChanged();
  void labelsEdited(const QString& folder, const stagelane::workspace::LabelEdit& edit);

 protected:
  bool eventFilter(QObject* object, QEvent* event) override;

 private:
  struct Facts {
    QList<std::pair<QString, QString>> lines;
    QList<QStringList> variants;
    QString problem;
  };
  [[nodiscard]] static Facts factsOf(const std::string& folder);
  void build();
  void showFacts(const Facts& facts);
  void handOn();

  Session* m_session;
  std::optional<workspace::RunEntry> m_entry;
  workspace::RunLabels m_filledIn;  ///< what the fields said before anything was typed
  LatestJob m_loading;
  QLabel* m_title;
  QLabel* m_subtitle;
  QHBoxLayout* m_buttons;
  QLineEdit* m_tags;
  QPlainTextEdit* m_note;
  QLabel* m_facts;
  QTableView* m_table;
  QStandardItemModel m_variants;
};

}  // namespace stagelane::ui
