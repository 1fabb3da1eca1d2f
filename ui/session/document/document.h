#pragma once

/// The experiment being edited: a JSON document (the one source of truth), its undo stack, and what
/// reading it yields. Every edit is a command that holds the document before and after, so that
/// undo restores exactly what was there. Reading it never takes long: what must be searched for is
/// searched for in another thread. Not thread-safe: it lives in the window's thread.

#include <QObject>
#include <QString>
#include <QStringList>
#include <QUndoStack>
#include <cstdlib>
#include <memory>
#include <optional>
#include <vector>

#include "engine/base/json.h"
#include "engine/base/result.h"
#include "engine/plan/experiment.h"
#include "engine/predict/cost_table.h"
#include "ui/kit/latest_job.h"
#include "ui/session/document/block_locks.h"
#include "ui/session/document/document_reading.h"
#include "ui/session/document/stage_memory.h"

namespace stagelane::ui {

class ExperimentDocument final : public QObject {
  Q_OBJECT

 public:
  explicit ExperimentDocument(QObject* parent = nullptr);
  ~ExperimentDocument() override;

  /// What this machine offers for `{"auto": n}`; set before `load`.
  void setMachine(const plan::MachineDevices& machine);
  [[nodiscard]] const plan::MachineDevices& machine() const { return m_machine; }

  /// What placements by a mode and `auto` go by; null: estimates. Reads again, and says so where
  /// that changes a plan. No edit.
  void setCosts(std::shared_ptr<const predict::CostTable> costs);

  /// Replaces everything and clears the undo stack. `path` is empty for a preset or a new document;
  /// `baseFolder` resolves its relative paths.
  void load(Json json, const QString& path, const QString& baseFolder);
  /// The same for edits that were never saved: the document counts as modified.
  void loadUnsaved(Json json, const QString& path, const QString& baseFolder);
  /// @errors CannotWrite
  [[nodiscard]] Status save(const QString& path);
  /// What another program wrote to the document's file: an undoable step, saved already.
  /// @returns false where a locked block would move: nothing is changed then, and `refused` says so
  bool takeFromFile(const QString& stepName, Json content);
  /// Its file says something else by now.
  void countAsUnsaved() { setSaved(nullptr); }

  [[nodiscard]] const Json& json() const { return *m_json; }
  [[nodiscard]] std::shared_ptr<const Json> snapshot() const { return m_json; }
  [[nodiscard]] QString name() const;  ///< the experiment's name, for people
  [[nodiscard]] QString path() const { return m_path; }
  [[nodiscard]] QString baseFolder() const { return m_baseFolder; }
  /// What a file would get differs from what it has: locks are no part of it.
  [[nodiscard]] bool modified() const {
    return m_json != m_saved && !(m_saved && *m_json == *m_saved);
  }
  [[nodiscard]] QUndoStack& undoStack() { return m_undo; }
  [[nodiscard]] const QUndoStack& undoStack() const { return m_undo; }

  /// Pushes one undoable step. Does nothing when nothing changes. Steps with the same non-empty
  /// `mergeKey` in a row become one (typing in a number field).
  /// @returns false where a locked block would move: nothing is changed then, and `refused` says so
  bool apply(const QString& stepName, Json after, const QString& mergeKey = {});

  /// Counts edits from the present state on.
  void mark();
  /// How many edits lie between that state and this one: what is undone counts back.
  [[nodiscard]] int editsSinceMark() const { return m_lostEdits + std::abs(m_depth - m_markDepth); }

  /// The document as values. While one variant cannot be read, the others still are: `experiment`
  /// then lacks it and its tab carries the error. Null only when no variant can be read.
  [[nodiscard]] std::shared_ptr<const plan::Experiment> experiment() const { return m_experiment; }
  /// The last `experiment` that was not null: the lanes keep showing its model and devices.
  [[nodiscard]] std::shared_ptr<const plan::Experiment> lastReadable() const { return m_readable; }
  /// While it is searched, beside the window, where blocks go or which layout `auto` has: the
  /// stages of such variants are those of before then, or cut by time alone. `changed` says when
  /// they are known.
  [[nodiscard]] bool planning() const { return m_search.running(); }
  /// Why the whole document cannot be read.
  [[nodiscard]] const std::optional<Error>& error() const { return m_error; }
  [[nodiscard]] const std::vector<VariantTab>& tabs() const { return m_tabs; }
  [[nodiscard]] const VariantTab* tab(const QString& id) const;
  [[nodiscard]] const VariantTab* tabOfVariant(const QString& variantId) const;
  /// Blocks that a tab does not let move. Not part of the file.
  [[nodiscard]] BlockLocks lockedBlocks(const QString& tabId) const;
  /// One undoable step. Does nothing when nothing changes.
  /// @pre the blocks are on these devices, and no mode places them
  void lockBlocks(const QString& stepName, const QString& tabId, const BlockLocks& locks);
  /// Why the document may not become this one: a locked block would move. Reads it, but only where
  /// something is locked.
  [[nodiscard]] std::optional<QString> lockRefusal(const Json& after) const;
  /// Counts up with every change; what was computed for an older one is stale.
  [[nodiscard]] std::uint64_t generation() const { return m_generation; }

 Q_SIGNALS:
  /// Another document comes: what was kept of the tabs, blocks and devices speaks of the old one.
  void aboutToLoad();
  void changed();
  /// An edit was not made, because a locked block would move.
  void refused(const QString& reason);
  void locksChanged(const QString& tabId);
  void modifiedChanged(bool modified);
  void pathChanged();

 private:
  friend class EditCommand;
  friend class LockCommand;
  void setJson(std::shared_ptr<const Json> json);
  void setLocks(const QString& tabId, const BlockLocks& locks);
  void setSaved(std::shared_ptr<const Json> json);
  /// Says `modifiedChanged` where that has changed.
  void tellModified(bool before);
  void countEdit(bool isNew);
  [[nodiscard]] ReadingBasis readingBasis() const;
  void read();
  void search();

  std::shared_ptr<const Json> m_json;
  std::shared_ptr<const Json> m_saved;  ///< as the file has it; null: it has something else
  LocksOfTabs m_locks;
  QString m_path;
  QString m_baseFolder;
  plan::MachineDevices m_machine;
  std::shared_ptr<const predict::CostTable> m_costs;
  StageMemory m_stages;
  LatestJob m_search;  ///< for stages that are not remembered
  QUndoStack m_undo;
  std::shared_ptr<const plan::Experiment> m_experiment;
  std::shared_ptr<const plan::Experiment> m_readable;
  std::optional<Error> m_error;
  std::vector<VariantTab> m_tabs;
  std::uint64_t m_generation = 0;
  int m_depth = 0;      ///< edits done and not undone
  int m_markDepth = 0;  ///< at the mark, or where another branch left the way to it
  int m_lostEdits = 0;  ///< from there to the mark: undone and gone
};

}  // namespace stagelane::ui
