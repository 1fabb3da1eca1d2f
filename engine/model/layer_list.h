#pragma once

/// Reads models that are written as a JSON list of layers: kinds, attributes, groups.

#include <string>

#include "engine/model/model.h"

namespace stagelane::model::detail {

/// Reads one layer `{"kind": …, attributes}`; `name` is read by the caller's reader.
/// @errors Invalid: unknown kind (with the list), wrong or missing attribute, size out of range
[[nodiscard]] Result<LayerSpec> layerFromJson(const Json& item, const std::string& pointer);

/// "Conv2d, BatchNorm2d, …".
[[nodiscard]] std::string kindList();

/// Default name of a list of layers.
inline constexpr const char* kUnnamed = "custom";

/// Builds `{"layers": […]}`. `name` is used if the object has no name.
/// @errors Invalid
[[nodiscard]] Result<ModelPtr> buildFromLayers(const Json& definition, const std::string& pointer,
                                               const std::string& name);

/// Checks that no tensor, nor the model as a whole, has too many elements. @errors Invalid
[[nodiscard]] Status checkSizes(const Model& model, const std::string& pointer);

/// Model::vocabulary. @pre the model has a block
[[nodiscard]] std::int64_t vocabularyOf(const Model& model);

/// Size of the output's last dimension if the layers alone determine it, else 0.
[[nodiscard]] std::int64_t lastDimension(const Model& model);

}  // namespace stagelane::model::detail
