#pragma once

/// Edits of the plan's shape: moves, cuts and suggestions, each one undo step of the document, and
/// which blocks a drag takes along.

#include <QObject>
#include <QString>
#include <cstddef>
#include <optional>
#include <vector>

#include "ui/plan/plan_model/plan_selection.h"
#include "ui/session/document/plan_edits.h"
#include "ui/session/prediction/kind_plans.h"
#include "ui/session/prediction/plan_suggestions.h"

namespace stagelane::ui {

class PlanModel;

/// What a drag takes along: plain, with Shift, with Alt.
enum class DragExtent { Selection, RestOfStage, Group };

class PlanMoves final : public QObject {
  Q_OBJECT

 public:
  /// @pre `plan` outlives this
  explicit PlanMoves(PlanModel* plan, QObject* parent = nullptr);

  [[nodiscard]] BlockSet dragSet(std::size_t first, std::size_t last, DragExtent extent) const;
  /// Why the blocks cannot be moved to the lane of a device; nothing if they can.
  [[nodiscard]] std::optional<QString> refusal(const BlockSet& blocks,
                                               const DeviceId& device) const;
  /// Why no block has a lane of its own, so that nothing can be moved, cut or locked; empty if
  /// blocks can.
  [[nodiscard]] QString whyFixed() const;
  /// The lanes of the other replicas follow.
  bool move(const BlockSet& blocks, const DeviceId& device);
  bool moveSelection(int lanes);
  void cutBeforeCurrent();
  void cutAt(std::size_t block);
  void applyShape(const QString& stepName, const PlanShape& shape);
  /// Devices that a cut may use: those of the first replica, and free ones while every replica can
  /// have one.
  [[nodiscard]] std::vector<DeviceId> cutDevices() const;
  void applySuggestion(const PlanSuggestion& suggestion);
  /// Makes the tab this plan. A sweep becomes one plan.
  void applyKind(const search::KindPlan& plan);
  /// Adds the plan as a tab of its own, which is shown.
  void addKind(const search::KindPlan& plan);
  /// Whether the suggestion becomes a tab of its own.
  [[nodiscard]] bool comesBeside(const PlanSuggestion& suggestion) const;

 Q_SIGNALS:
  void moved();  ///< by a drop, a key or a menu: the selected blocks changed lanes

 private:
  [[nodiscard]] std::optional<QString> shapeRefusal(const PlanShape& after) const;
  void showTabAt(std::size_t index);

  PlanModel* m_plan;
};

}  // namespace stagelane::ui
