#pragma once

/// Details of the table's current run, its variants, and its labels: star, tags, note. Reads the
/// folder in another thread; edits are sent when a field loses the focus.

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
  /// Null: no current run.
  void show(const workspace::RunEntry* entry);
  /// Adds a button for an action on the run, to the right of the title.
  QToolButton* addButton(QAction* action, const QString& name);
  /// Height that is missing to show all variants; negative: height to spare.
  [[nodiscard]] int missingHeight() const;
  void editTags();
  void editNote();
  [[nodiscard]] bool busy() const { return m_loading.running(); }

 Q_SIGNALS:
  /// A key ended editing in the tags or the note; it must not act on them again.
  void editingDone();
  /// The details or their height changed, and with them `missingHeight`.
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
  /// What the fields said before editing. Not the labels themselves: fields turn a line end of
  /// another system or a tag with a comma into something else, which is no edit.
  workspace::RunLabels m_filledIn;
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
