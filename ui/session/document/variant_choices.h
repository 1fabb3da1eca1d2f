#pragma once

/// What one variant may choose besides strategy, schedule and split size: how its blocks are
/// placed, what is computed again, how many stages a device has. Rules and edits only; a menu shows
/// them.

#include <QString>
#include <vector>

#include "engine/base/json.h"
#include "engine/plan/experiment.h"
#include "ui/session/document/plan_edits.h"

namespace stagelane::ui {

enum class VariantMember { Placement, Recompute, Chunks };

struct VariantChoice {
  VariantMember member = VariantMember::Placement;
  std::string word;  ///< "optimal", "always", "2"; chunks "" is what the schedule has by itself
  QString text;      ///< "Balanced memory"
  QString tip;
  [[nodiscard]] QString name() const;  ///< "placement.optimal"
  [[nodiscard]] QString step() const;  ///< "Placement optimal"
  friend bool operator==(const VariantChoice&, const VariantChoice&) = default;
};

/// Every choice that there is, in the order of a menu.
[[nodiscard]] const std::vector<VariantChoice>& allVariantChoices();

/// The word that variant `index` has; a placement of another variant is "same as: NAME".
[[nodiscard]] QString currentWord(const Json& document, std::size_t index, VariantMember member);

/// Whether the variant has such a choice at all: one device has no placement, only a pipeline has
/// chunks, and a schedule only some.
[[nodiscard]] bool offered(const Json& document, std::size_t index, const VariantChoice& choice);

/// `shape` is the plan as it is: what "custom" writes down.
[[nodiscard]] Json withChoice(Json document, std::size_t index, const VariantChoice& choice,
                              const model::Model& model, const PlanShape& shape);

/// Why the variant could not be read with the choice, in words; empty when it could.
[[nodiscard]] QString refusalOf(const Json& changed, std::size_t index,
                                const std::string& baseFolder);

}  // namespace stagelane::ui
