#pragma once

/// Choices of a variant besides strategy, schedule and split size: placement mode, recompute,
/// stages per device. Rules and edits only, for a menu.

#include <QString>
#include <vector>

#include "engine/base/json.h"
#include "engine/plan/experiment.h"
#include "ui/session/document/plan_edits.h"

namespace stagelane::ui {

enum class VariantMember { Placement, Recompute, Chunks };

struct VariantChoice {
  VariantMember member = VariantMember::Placement;
  std::string word;  ///< "optimal", "always", "2"; "" for chunks is the schedule's default
  QString text;      ///< "Balanced memory"
  QString tip;
  [[nodiscard]] QString name() const;  ///< "placement.optimal"
  [[nodiscard]] QString step() const;  ///< "Placement optimal"
  friend bool operator==(const VariantChoice&, const VariantChoice&) = default;
};

/// All choices, in menu order.
[[nodiscard]] std::vector<VariantChoice> allVariantChoices();

/// The current word of variant `index`; "same as: NAME" for a placement by reference.
[[nodiscard]] QString currentWord(const Json& document, std::size_t index, VariantMember member);

/// Whether the variant has such a choice: strategies with the whole model on each device have no
/// placement; only some schedules have chunks.
[[nodiscard]] bool offered(const Json& document, std::size_t index, const VariantChoice& choice);

/// `shape` is the current plan, which "custom" writes down.
[[nodiscard]] Json withChoice(Json document, std::size_t index, const VariantChoice& choice,
                              const model::Model& model, const PlanShape& shape);

/// Why the variant could not be read with the choice; empty if it could.
[[nodiscard]] QString refusalOf(const Json& changed, std::size_t index,
                                const std::string& baseFolder);

}  // namespace stagelane::ui
