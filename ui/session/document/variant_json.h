#pragma once

/// Accessors of a variant's JSON, in which any member may be missing or of another type. Does not
/// check whether it can run.

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "engine/base/text_member.h"
#include "engine/plan/strategies.h"

namespace stagelane::ui {

/// Item `index` of `variants`; null if the document has none.
[[nodiscard]] const Json* variantAt(const Json& document, std::size_t index);
/// The variant's strategy; the first row of the table if it has none.
[[nodiscard]] const plan::StrategyRow& strategyOf(const Json& variant);
/// `variants` with one variant, on a single device.
[[nodiscard]] Json onlySingle();

/// A reference to another variant's placement: "same as: NAME".
[[nodiscard]] std::string sameAs(std::string_view name);
/// The name or id of the variant that a placement refers to; nothing if it is not a reference.
[[nodiscard]] std::optional<std::string> referenceIn(std::string_view placement);
/// The variant that a reference names, by name, then by id; null for none.
[[nodiscard]] const Json* variantCalled(const Json& variants, const std::string& reference);
/// The variant that defines this one's placement: itself, or the end of its chain of references.
[[nodiscard]] const Json& placedBy(const Json& variants, const Json& variant);

/// All device names in the variant: its own and those of its placement and stages, with those of
/// their replicas.
void forEachDevice(Json& variant, const std::function<void(Json& name)>& act);

}  // namespace stagelane::ui
