#pragma once

/// The open experiment: a JSON document (the only source of truth), its undo stack, and its parsed
/// values. Each edit is a command that holds the document before and after, so undo restores it
/// exactly. Reading is quick: searches run in another thread. Not thread-safe: lives in the
/// window's thread.

#include <QObject>
#include <QString>
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

  /// The machine's devices for `{"auto": n}`; set before `load`.
  void setMachine(const plan::MachineDevices& machine);
  [[nodiscard]] const plan::MachineDevices& machine() const { return m_machine; }

  /// The costs for placement modes and `auto`; null: estimates. Reads the document again and
  /// signals if a plan changes. Not an edit.
  void setCosts(std::shared_ptr<const predict::CostTable> costs);

  /// Replaces everything and clears the undo stack. `path` is empty for a preset or a new document;
  /// `baseFolder` resolves its relative paths.
  void load(Json json, const QString& path, const QString& baseFolder);
  /// The same for edits that were never saved: the document counts as modified.
  void loadUnsaved(Json json, const QString& path, const QString& baseFolder);
  /// @errors CannotWrite
  [[nodiscard]] Status save(const QString& path);
  /// Applies what another program wrote to the file, as an undoable step that counts as saved.
  /// @returns false and emits `refused` if a locked block would move; nothing changes then
  bool takeFromFile(const QString& stepName, Json content);
  /// Call when the file's content has changed.
  void countAsUnsaved() { setSaved(nullptr); }

  [[nodiscard]] const Json& json() const { return *m_json; }
  [[nodiscard]] std::shared_ptr<const Json> snapshot() const { return m_json; }
  [[nodiscard]] QString name() const;  ///< display name
  [[nodiscard]] QString path() const { return m_path; }
  [[nodiscard]] QString baseFolder() const { return m_baseFolder; }
  /// Whether saving would change the file. Locks are not part of it.
  [[nodiscard]] bool modified() const {
    return m_json != m_saved && !(m_saved && *m_json == *m_saved);
  }
  [[nodiscard]] QUndoStack& undoStack() { return m_undo; }
  [[nodiscard]] const QUndoStack& undoStack() const { return m_undo; }

  /// Pushes one undoable step; does nothing if nothing changes. Consecutive steps with the same
  /// non-empty `mergeKey` become one (typing in a number field). @returns false and emits `refused`
  /// if a locked block would move; nothing changes then
  bool apply(const QString& stepName, Json after, const QString& mergeKey = {});

  /// Starts counting edits at the current state.
  void mark();
  /// The number of edits since that state; undo counts back.
  [[nodiscard]] int editsSinceMark() const { return m_lostEdits + std::abs(m_depth - m_markDepth); }

  /// The document as values, without variants that cannot be read; their tabs carry the errors.
  /// Null if no variant can be read.
  [[nodiscard]] std::shared_ptr<const plan::Experiment> experiment() const { return m_experiment; }
  /// The last non-null `experiment`: the lanes keep showing its model and devices.
  [[nodiscard]] std::shared_ptr<const plan::Experiment> lastReadable() const { return m_readable; }
  /// True during a background search for placements or the layout of `auto`. Meanwhile such
  /// variants have their previous stages or stages cut by time alone; `changed` is emitted at the
  /// end.
  [[nodiscard]] bool planning() const { return m_search.running(); }
  /// Why the whole document cannot be read.
  [[nodiscard]] const std::optional<Error>& error() const { return m_error; }
  [[nodiscard]] const std::vector<VariantTab>& tabs() const { return m_tabs; }
  [[nodiscard]] const VariantTab* tab(const QString& id) const;
  [[nodiscard]] const VariantTab* tabOfVariant(const QString& variantId) const;
  /// Locked blocks of a tab. Not part of the file.
  [[nodiscard]] BlockLocks lockedBlocks(const QString& tabId) const;
  /// One undoable step; does nothing if nothing changes. @pre the blocks are on these devices, and
  /// no mode places them
  void lockBlocks(const QString& stepName, const QString& tabId, const BlockLocks& locks);
  /// Why this document is refused: a locked block would move. Parses it only if there are locks.
  [[nodiscard]] std::optional<QString> lockRefusal(const Json& after) const;
  /// Increases with each change; results for an older revision are stale.
  [[nodiscard]] std::uint64_t generation() const { return m_generation; }

 Q_SIGNALS:
  /// Emitted before another document loads: state kept for tabs, blocks and devices is obsolete.
  void aboutToLoad();
  void changed();
  /// An edit was refused because a locked block would move.
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
  /// Emits `modifiedChanged` if needed.
  void tellModified(bool before);
  void countEdit(bool isNew);
  [[nodiscard]] ReadingBasis readingBasis() const;
  void read();
  void search();

  std::shared_ptr<const Json> m_json;
  std::shared_ptr<const Json> m_saved;  ///< the file's content; null: unlike the document
  LocksOfTabs m_locks;
  QString m_path;
  QString m_baseFolder;
  plan::MachineDevices m_machine;
  std::shared_ptr<const predict::CostTable> m_costs;
  StageMemory m_stages;
  LatestJob m_search;  ///< for stages that are not cached
  QUndoStack m_undo;
  std::shared_ptr<const plan::Experiment> m_experiment;
  std::shared_ptr<const plan::Experiment> m_readable;
  std::optional<Error> m_error;
  std::vector<VariantTab> m_tabs;
  std::uint64_t m_generation = 0;
  int m_depth = 0;      ///< edits done and not undone
  int m_markDepth = 0;  ///< at the mark, or where another branch left the path to it
  int m_lostEdits = 0;  ///< from there to the mark: undone and dropped
};

}  // namespace stagelane::ui
