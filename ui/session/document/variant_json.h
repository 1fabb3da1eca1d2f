#pragma once

/// What an experiment's document says of a variant, as a person may have written it: any member may
/// be missing or of another type. Knows nothing of whether it can run.

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "engine/base/text_member.h"
#include "engine/plan/strategies.h"

namespace stagelane::ui {

/// Item `index` of `variants`; null where the document has no such object.
[[nodiscard]] const Json* variantAt(const Json& document, std::size_t index);
/// The first row of the table where it says none.
[[nodiscard]] const plan::StrategyRow& strategyOf(const Json& variant);
/// `variants` that train on one device only.
[[nodiscard]] Json onlySingle();

/// The placement of another variant, as it is written: "same as: NAME".
[[nodiscard]] std::string sameAs(std::string_view name);
/// The name or id of the variant that a placement refers to; nothing where it is no reference.
[[nodiscard]] std::optional<std::string> referenceIn(std::string_view placement);
/// The variant that a reference means, by its name, else by its id; null where there is none.
[[nodiscard]] const Json* variantCalled(const Json& variants, const std::string& reference);
/// The variant that says the placement of this one: itself, or the one at the end of its
/// references.
[[nodiscard]] const Json& placedBy(const Json& variants, const Json& variant);

/// Every name of a device in the variant: its own, those of its placement, those of its stages.
void forEachDevice(Json& variant, const std::function<void(Json& name)>& act);

}  // namespace stagelane::ui
