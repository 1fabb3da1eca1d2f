#pragma once

/// Placements as Hugging Face accelerate's `device_map="balanced"` and its siblings make them, for
/// the blocks of a model: by bytes, not by time. Pure.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/model/shapes.h"
#include "engine/plan/device.h"
#include "engine/plan/device_map.h"
#include "engine/plan/stages.h"

namespace stagelane::plan {

enum class AccelerateMode { Auto, Balanced, BalancedLow0, Sequential };
/// `auto`, `balanced`, `balanced_low_0`, `sequential`.
[[nodiscard]] std::optional<AccelerateMode> accelerateModeFrom(std::string_view word);

/// The model as accelerate sees it: PyTorch's module tree with the sizes of its tensors.
[[nodiscard]] ModuleTree moduleTreeOf(const model::Model& model, model::DType dtype);

/// The devices count as GPU 0, 1, … in their order, those without a limit as having room for
/// anything; the classes of the blocks stay whole. `auto` is `balanced`, as it is there.
/// @errors Invalid at `pointer`: part of the model has no room; the map goes back to a device
/// @source accelerate 1.15, `load_checkpoint_and_dispatch`: behaviour, not text
[[nodiscard]] Result<std::vector<Stage>> accelerateStages(const model::Model& model,
                                                          model::DType dtype,
                                                          const std::vector<DeviceSpec>& devices,
                                                          AccelerateMode mode,
                                                          const std::string& pointer);

}  // namespace stagelane::plan
