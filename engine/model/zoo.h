#pragma once

/// The built-in models, by name.

#include <string>

#include "engine/model/model.h"

namespace stagelane::model::detail {

/// Builds `{"zoo": NAME, …sizes}`. @errors Invalid, with the list for an unknown name
[[nodiscard]] Result<ModelPtr> buildFromZoo(const Json& definition, const std::string& pointer);

}  // namespace stagelane::model::detail
