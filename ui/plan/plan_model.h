#pragma once

/// What the Plan page shows and may do: the current tab's plan, selection, locks, preview of a
/// drag, and every rule (may these blocks move there, what does a drag take along, what would it
/// cost). Views draw it and hand it gestures; they decide nothing. All edits go to the session's
/// document.

#include <QObject>
#include <QSet>
#include <QString>
#include <QTimer>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "ui/plan/blocks/block_table.h"
#include "ui/plan/blocks/memory_parts.h"
#include "ui/plan/lanes/chain_layout.h"
#include "ui/plan/plan_devices.h"
#include "ui/plan/plan_problems.h"
#include "ui/plan/plan_selection.h"
#include "ui/plan/prediction/suggestion_runner.h"
#include "ui/session/document/plan_edits.h"
#include "ui/session/prediction/peak_range.h"
#include "ui/session/prediction/prediction_runner.h"
#include "ui/session/run/measured_marks.h"
#include "ui/session/session.h"

namespace stagelane::ui {

enum class ChipWidth { Time, Memory, Parameters };

/// What a drag takes along: plain, with Shift, with Alt.
enum class DragExtent { Selection, RestOfStage, Group };

/// Which plan something is of: tab, blocks, lanes, and where the blocks are. Its figures are not
/// part of it.
struct PlanIdentity {
  QString tab;
  std::vector<QString> blocks;
  std::vector<DeviceId> devices;
  PlanShape shape;
  friend bool operator==(const PlanIdentity&, const PlanIdentity&) = default;
};

using BlockSet = std::vector<std::size_t>;  ///< ascending

class PlanModel final : public QObject {
  Q_OBJECT

 public:
  explicit PlanModel(Session* session, QObject* parent = nullptr);
  ~PlanModel() override;

  [[nodiscard]] Session& session() const { return *m_session; }
  /// False until an experiment could be read; the accessors below need it to be true.
  [[nodiscard]] bool ready() const { return m_table != nullptr && !m_shape.deviceOfBlock.empty(); }
  [[nodiscard]] const model::Model& model() const { return *m_table->model; }
  [[nodiscard]] BlockTablePtr table() const { return m_table; }
  [[nodiscard]] const std::vector<ChainGroup>& groups() const { return m_groups; }
  /// Lanes, in the experiment's order.
  [[nodiscard]] const std::vector<DeviceId>& devices() const { return m_devices; }
  [[nodiscard]] int laneOf(const DeviceId& device) const;
  /// What would make the plan faster.
  [[nodiscard]] const SuggestionRunner& suggestions() const { return m_suggestions; }
  /// What may be done with them.
  [[nodiscard]] PlanDevices& deviceEdits() { return m_deviceEdits; }
  [[nodiscard]] const PlanDevices& deviceEdits() const { return m_deviceEdits; }
  /// Of the lane where the keyboard is: that of the current block.
  [[nodiscard]] std::optional<DeviceId> currentDevice() const;

  [[nodiscard]] PlanIdentity identity() const;
  /// The plan as it is in the document.
  [[nodiscard]] const PlanShape& shape() const { return m_shape; }
  /// The plan with the drag's blocks where they would be dropped; else `shape()`.
  [[nodiscard]] const PlanShape& shownShape() const;
  /// Its prediction: of the preview where that is known, of the plan as it is while it is being
  /// worked out; none of a drop that is impossible.
  [[nodiscard]] PlanPredictionPtr shownPrediction() const;
  /// What `shownPrediction` has is of the drop.
  [[nodiscard]] bool previewKnown() const { return m_preview && m_preview->prediction; }
  /// Why the drop has no figures; empty while they are being worked out.
  [[nodiscard]] QString previewProblem() const {
    return m_preview ? m_preview->problem : QString();
  }
  /// What the last run measured of the shown variant.
  [[nodiscard]] const std::optional<MeasuredMarks>& measured() const { return m_measured; }
  [[nodiscard]] const CutCurve& cutCurve() const { return m_cuts; }
  [[nodiscard]] bool cutCurveStale() const { return m_cutsStale; }
  [[nodiscard]] bool busy() const {
    return m_runner.busy() || m_cutsDelay.isActive() || m_suggestions.running();
  }

  // Selection. `current` is where the keyboard is.
  [[nodiscard]] const std::set<std::size_t>& selection() const { return m_selection.blocks(); }
  [[nodiscard]] BlockSet selectionList() const { return m_selection.list(); }
  [[nodiscard]] Selected selected(std::size_t first, std::size_t last) const {
    return m_selection.selected(first, last);
  }
  [[nodiscard]] std::size_t current() const { return m_selection.current(); }
  void select(std::size_t first, std::size_t last);
  void extendTo(std::size_t first, std::size_t last);
  void toggle(std::size_t first, std::size_t last);
  void clearSelection();
  /// The next chip in chain order, `step` −1 or +1; `extend` keeps what is selected.
  void step(int step, bool extend, const ChainLayout& layout);

  // Groups and widths.
  [[nodiscard]] QSet<QString> openGroups() const;
  void toggleGroup(const QString& name);
  [[nodiscard]] const ChainGroup* groupOf(std::size_t block) const;
  [[nodiscard]] bool splitAcrossDevices(const ChainGroup& group) const;
  [[nodiscard]] ChipWidth chipWidth() const { return m_chipWidth; }
  void setChipWidth(ChipWidth width);
  [[nodiscard]] ChainRequest chainRequest(qreal width) const;

  // Rules.
  [[nodiscard]] bool locked(std::size_t block) const;
  [[nodiscard]] BlockSet dragSet(std::size_t first, std::size_t last, DragExtent extent) const;
  /// Why these blocks may not go there, in words; nothing when they may.
  [[nodiscard]] std::optional<QString> refusal(const BlockSet& blocks,
                                               const DeviceId& device) const;
  /// Why the plan may not become this one, what is suggested or what fixes it: a locked block
  /// would move.
  [[nodiscard]] std::optional<QString> refusalOfShape(const PlanShape& after) const;
  [[nodiscard]] std::optional<QString> refusalOf(const PlanSuggestion& suggestion) const;
  [[nodiscard]] std::optional<QString> refusalOf(const PlanFix& fix) const;
  /// What breaks the shown plan although the document is kept.
  [[nodiscard]] const std::vector<PlanProblem>& problems() const { return m_problems; }
  /// For the chips of a device: two words, and a sentence; empty where nothing is wrong.
  [[nodiscard]] QString problemWord(const DeviceId& device) const;
  [[nodiscard]] QString problemText(const DeviceId& device) const;
  /// One edit that ends the first problem for which one is known; nothing where there is none.
  [[nodiscard]] std::optional<PlanFix> fix() const;
  void applyFix();
  /// What fills a device of the shown plan at its peak.
  [[nodiscard]] MemoryParts memoryOf(const PredictedDevice& device) const;
  /// The largest end of an error bar: the full width of a gauge without a budget. At least 1.
  [[nodiscard]] Bytes largestPeak() const;
  /// Between what that peak lies, as far as is known.
  [[nodiscard]] PeakRange peakRange(const DeviceId& device) const;
  /// "fc is tied to embed, gradients are summed across devices"; empty where no block of these is.
  [[nodiscard]] QString tiedText(const BlockSet& blocks) const;
  /// The block on another device that shares a parameter with this one; empty for none.
  [[nodiscard]] QString tiedAcrossDevices(std::size_t block) const;
  /// Gradients come back across the cuts.
  [[nodiscard]] bool trains() const;
  /// Logical bytes that a step sends across the cut before `block`, in training both ways.
  [[nodiscard]] Bytes cutBytes(std::size_t block) const;

  // Preview of a drop.
  void preview(const BlockSet& blocks, const DeviceId& device);
  void clearPreview();
  [[nodiscard]] bool previewing() const { return m_preview.has_value(); }
  /// "step −12 %, peak 6.1 of 8 GiB": what the tooltip of a drag says; empty while unknown.
  [[nodiscard]] QString previewText() const;

  // Edits; each is one undo step.
  bool move(const BlockSet& blocks, const DeviceId& device);
  bool moveSelection(int lanes);
  void cutBeforeCurrent();
  void cutAt(std::size_t block);
  /// A lock on a plan that a mode places makes its placement one by hand, as it lies.
  void toggleLock();
  void applySuggestion(const PlanSuggestion& suggestion);

 Q_SIGNALS:
  void planChanged();  ///< blocks, devices, shape or table
  void selectionChanged();
  void blocksMoved();    ///< by a drop, a key or a menu: the selected ones have a new lane
  void layoutChanged();  ///< groups opened, widths switched
  void previewChanged();
  void cutCurveChanged();
  void problemsChanged();
  void measuredChanged();
  void refused(const QString& reason);

 private:
  struct Preview {
    BlockSet blocks;
    DeviceId device;
    PlanShape shape;
    PlanPredictionPtr prediction;
    QString problem;
  };

  void forget();
  void onDocumentChanged();
  void onVariantChanged();
  void onCostsChanged();
  void refresh();
  void refreshShape(const plan::Experiment& experiment);
  void refreshTable(const plan::Experiment& experiment);
  /// Where the shown plan's blocks go is still searched for; `shape()` is one for the time being.
  [[nodiscard]] bool beingPlaced() const;
  /// Why the shown plan cannot be read.
  [[nodiscard]] std::optional<Error> readingError() const;
  void startPrediction();
  void startSuggestions();
  void refreshProblems();
  void refreshMeasured();
  [[nodiscard]] PlanQuestion question() const;
  void startCuts();
  [[nodiscard]] std::optional<plan::Variant> variantWith(const PlanShape& shape) const;
  /// It would be a tab of its own.
  [[nodiscard]] bool comesBeside(const PlanSuggestion& suggestion) const;
  void applyShape(const QString& stepName, const PlanShape& shape);
  [[nodiscard]] BlockLocks locks() const;
  void lockSelection();
  void unlockSelection();
  [[nodiscard]] std::size_t tabIndex() const;

  Session* m_session;
  PlanDevices m_deviceEdits;
  PredictionRunner m_runner;
  SuggestionRunner m_suggestions;
  std::vector<PlanProblem> m_problems;
  std::optional<MeasuredMarks> m_measured;
  BlockTablePtr m_table;
  std::string m_tableKey;
  CostTablePtr m_tableCosts;
  std::vector<ChainGroup> m_groups;
  std::vector<DeviceId> m_devices;
  PlanShape m_shape;
  std::map<QString, PlanShape> m_lastShape;  ///< of each tab, for while it cannot be read
  PlanSelection m_selection;
  QSet<QString> m_openGroups;
  QString m_shownTab;  ///< of `m_shape`
  ChipWidth m_chipWidth = ChipWidth::Time;
  std::optional<Preview> m_preview;
  QTimer m_cutsDelay;
  CutCurve m_cuts;
  bool m_cutsStale = false;
};

}  // namespace stagelane::ui
