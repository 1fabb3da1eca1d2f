#pragma once

/// Models that a person writes as a JSON list of layers: kinds, attributes, groups.

#include <string>

#include "engine/model/model.h"

namespace stagelane::model::detail {

/// Reads one layer `{"kind": …, attributes}`; `name` is read by the caller's reader.
/// @errors Invalid: unknown kind (with the list), wrong or missing attribute, size out of range
[[nodiscard]] Result<LayerSpec> layerFromJson(const Json& item, const std::string& pointer);

/// "Conv2d, BatchNorm2d, …".
[[nodiscard]] std::string kindList();

/// Name of a list of layers that has none.
inline constexpr const char* kUnnamed = "custom";

/// Builds `{"layers": […]}`. `name` is the model's unless the object has one of its own.
/// @errors Invalid
[[nodiscard]] Result<ModelPtr> buildFromLayers(const Json& definition, const std::string& pointer,
                                               const std::string& name);

/// No tensor, nor the model as a whole, has more elements than fit. @errors Invalid
[[nodiscard]] Status checkSizes(const Model& model, const std::string& pointer);

/// Model::vocabulary. @pre the model has a block
[[nodiscard]] std::int64_t vocabularyOf(const Model& model);

/// Size of the output's last dimension as far as the layers alone decide it, else 0.
[[nodiscard]] std::int64_t lastDimension(const Model& model);

}  // namespace stagelane::model::detail
