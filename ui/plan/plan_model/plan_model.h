#pragma once

/// The current tab's plan as the Plan page shows it: blocks, devices, shape, selection. It follows
/// the document and owns the parts with the rules: drop previews, locks, problems, edits. Views
/// only draw it and pass gestures on.

#include <QObject>
#include <QString>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/plan/experiment.h"
#include "ui/plan/plan_model/block_table.h"
#include "ui/plan/plan_model/chain_layout.h"
#include "ui/plan/plan_model/kind_runner.h"
#include "ui/plan/plan_model/plan_devices.h"
#include "ui/plan/plan_model/plan_selection.h"
#include "ui/plan/plan_model/replica_lanes.h"
#include "ui/plan/plan_model/suggestion_runner.h"
#include "ui/session/document/plan_edits.h"
#include "ui/session/prediction/costs.h"

namespace stagelane::ui {

class ChipGroups;
class ChipLocks;
class CutCosts;
class DropPreview;
class PlanFigures;
class PlanMoves;
class Session;
class ShownProblems;

/// Identifies a plan: tab, blocks, lanes, and the placement of the blocks, without figures.
struct PlanIdentity {
  QString tab;
  std::vector<QString> blocks;
  std::vector<DeviceId> devices;
  PlanShape shape;
  friend bool operator==(const PlanIdentity&, const PlanIdentity&) = default;
};

class PlanModel final : public QObject {
  Q_OBJECT

 public:
  explicit PlanModel(Session* session, QObject* parent = nullptr);
  ~PlanModel() override;

  [[nodiscard]] Session& session() const { return *m_session; }
  /// False until an experiment was read; the accessors below require true.
  [[nodiscard]] bool ready() const { return m_table != nullptr && !m_shape.deviceOfBlock.empty(); }
  [[nodiscard]] const model::Model& model() const { return *m_table->model; }
  [[nodiscard]] BlockTablePtr table() const { return m_table; }
  /// In the experiment's order, which `#0`, `#1` count.
  [[nodiscard]] const std::vector<DeviceId>& devices() const { return m_devices; }
  /// The devices of the lanes from the top: in the experiment's order, or by replica.
  [[nodiscard]] const std::vector<DeviceId>& lanes() const { return m_lanes.order(); }
  [[nodiscard]] const DeviceId& deviceOfLane(int lane) const {
    return lanes()[static_cast<std::size_t>(lane)];
  }
  [[nodiscard]] const ReplicaLanes& replicaLanes() const { return m_lanes; }
  [[nodiscard]] int laneOf(const DeviceId& device) const;
  /// Suggestions that make the plan faster.
  [[nodiscard]] const SuggestionRunner& suggestions() const { return m_suggestions; }
  /// The best plan of each kind, searched for while it is wanted.
  [[nodiscard]] KindRunner& kinds() { return m_kinds; }
  [[nodiscard]] const KindRunner& kinds() const { return m_kinds; }
  /// Edits of the devices.
  [[nodiscard]] PlanDevices& deviceEdits() { return m_deviceEdits; }
  [[nodiscard]] const PlanDevices& deviceEdits() const { return m_deviceEdits; }
  /// Device of the current block's lane.
  [[nodiscard]] std::optional<DeviceId> currentDevice() const;

  [[nodiscard]] PlanIdentity identity() const;
  /// The plan as it is in the document.
  [[nodiscard]] const PlanShape& shape() const { return m_shape; }
  /// The shape with the groups that its replicas would have.
  [[nodiscard]] PlanShape withGroups(PlanShape shape) const;
  /// The shape after a move to the lane of a device.
  [[nodiscard]] PlanShape shapeAfter(const BlockSet& blocks, const DeviceId& device) const;
  /// The shown variant with another shape; nothing if it cannot be read.
  [[nodiscard]] std::optional<plan::Variant> variantWith(const PlanShape& shape) const;
  /// Index of the current tab's variant in the document.
  [[nodiscard]] std::size_t tabIndex() const;
  [[nodiscard]] bool busy() const;

  [[nodiscard]] DropPreview& dropPreview() const { return *m_dropPreview; }
  [[nodiscard]] ChipGroups& chips() const { return *m_chips; }
  [[nodiscard]] CutCosts& cuts() const { return *m_cuts; }
  [[nodiscard]] ChipLocks& locks() const { return *m_locks; }
  [[nodiscard]] PlanMoves& moves() const { return *m_moves; }
  [[nodiscard]] PlanFigures& figures() const { return *m_figures; }
  [[nodiscard]] ShownProblems& shownProblems() const { return *m_shownProblems; }

  // Selection. `current` is the block with the keyboard focus.
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
  /// Selects the next chip in chain order, `step` −1 or +1; `extend` keeps the selection.
  void step(int step, bool extend, const ChainLayout& layout);

  [[nodiscard]] const PlanSelection& blockSelection() const { return m_selection; }

  /// Reports why an action was refused.
  void refuse(const QString& reason) { Q_EMIT refused(reason); }

 Q_SIGNALS:
  void planChanged();  ///< blocks, devices, shape or table
  void selectionChanged();
  void predictionChanged();  ///< of the shown plan, whose blocks it matches
  void refused(const QString& reason);

 private:
  /// The inputs of blocks, devices and shape.
  struct Source {
    std::shared_ptr<const plan::Experiment> experiment;
    std::shared_ptr<const plan::Experiment> readable;
    CostTablePtr costs;
    QString tab;
    QString variant;
    friend bool operator==(const Source&, const Source&) = default;
  };
  [[nodiscard]] Source source() const;

  void forget();
  void onVariantChanged();
  void onPredictionChanged();
  void refresh();
  void followDocument();
  void refreshShape(const plan::Experiment& experiment);
  void refreshLanes();
  void refreshTable(const plan::Experiment& experiment);
  void startSuggestions();

  Session* m_session;
  PlanDevices m_deviceEdits;
  SuggestionRunner m_suggestions;
  KindRunner m_kinds;  ///< after the suggestions, which it follows
  BlockTablePtr m_table;
  std::string m_tableKey;
  CostTablePtr m_tableCosts;
  std::vector<DeviceId> m_devices;
  ReplicaLanes m_lanes;
  PlanShape m_shape;
  std::map<QString, PlanShape> m_lastShape;  ///< by tab, shown while it cannot be read
  PlanSelection m_selection;
  QString m_shownTab;  ///< the tab of `m_shape`
  Source m_source;
  bool m_predictionWaits = false;  ///< until the blocks match it
  std::unique_ptr<DropPreview> m_dropPreview;
  std::unique_ptr<ChipGroups> m_chips;
  std::unique_ptr<CutCosts> m_cuts;
  std::unique_ptr<ChipLocks> m_locks;
  std::unique_ptr<PlanMoves> m_moves;
  std::unique_ptr<PlanFigures> m_figures;
  std::unique_ptr<ShownProblems> m_shownProblems;
};

}  // namespace stagelane::ui
