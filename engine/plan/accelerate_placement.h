#pragma once

/// Placements of a model's blocks as made by Hugging Face accelerate's `device_map="balanced"` and
/// its other modes: by bytes, not by time. Pure.

#include <array>
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
/// Their words in files and options, in that order.
inline constexpr std::array<std::string_view, 4> kAccelerateModes{"auto", "balanced",
                                                                  "balanced_low_0", "sequential"};
[[nodiscard]] constexpr std::string_view word(AccelerateMode mode) {
  return kAccelerateModes.at(static_cast<std::size_t>(mode));
}
[[nodiscard]] std::optional<AccelerateMode> accelerateModeFrom(std::string_view word);

/// The model as input for accelerate: PyTorch's module tree with tensor sizes.
[[nodiscard]] ModuleTree moduleTreeOf(const model::Model& model, model::DType dtype);

/// Devices count as GPU 0, 1, … in their order; a device without a limit is unlimited. Block
/// classes are not split. `auto` equals `balanced`, as in accelerate.
/// @errors Invalid at `pointer`: part of the model does not fit; the map returns to an earlier
/// device
/// @source accelerate 1.15, `load_checkpoint_and_dispatch`: behavior, not text
[[nodiscard]] Result<std::vector<Stage>> accelerateStages(const model::Model& model,
                                                          model::DType dtype,
                                                          const std::vector<DeviceSpec>& devices,
                                                          AccelerateMode mode,
                                                          const std::string& pointer);

}  // namespace stagelane::plan
