#pragma once

/// Accessors of a variant's JSON, in which any member may be missing or of another type. Does not
/// check whether it can run.

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "engine/base/json.h"

namespace stagelane::ui {

/// The text of a member; `fallback` if it is not text.
[[nodiscard]] std::string textMember(const Json& object, std::string_view key,
                                     std::string_view fallback = {});

/// A reference to another variant's placement: "same as: NAME".
[[nodiscard]] std::string sameAs(std::string_view name);
/// The name or id of the variant that a placement refers to; nothing if it is not a reference.
[[nodiscard]] std::optional<std::string> referenceIn(std::string_view placement);
/// The variant that a reference names, by name, then by id; null for none.
[[nodiscard]] const Json* variantCalled(const Json& variants, const std::string& reference);
/// The variant that defines this one's placement: itself, or the end of its chain of references.
[[nodiscard]] const Json& placedBy(const Json& variants, const Json& variant);

/// All device names in the variant: its own and those of its placement and stages.
void forEachDevice(Json& variant, const std::function<void(Json& name)>& act);

}  // namespace stagelane::ui
