#pragma once

/// Placement (dotted prefix → device) and its canonical form, an ordered list of stages. Pure
/// functions, shared by the experiment reader and the window's undo commands.

#include <map>
#include <string>
#include <vector>

#include "engine/base/ids.h"
#include "engine/base/json.h"
#include "engine/base/result.h"
#include "engine/model/model.h"
#include "engine/plan/device_group.h"

namespace stagelane::plan {

/// Consecutive blocks [first, last] on the devices of one group.
struct Stage {
  std::size_t firstBlock = 0;
  std::size_t lastBlock = 0;  ///< inclusive
  DeviceGroup group;          ///< of one, or of the stage's replicas
  friend bool operator==(const Stage&, const Stage&) = default;
};

/// The device that a placement value names: an id, or an integer n for `cuda:n`.
/// @errors Invalid: not a device; `"cpu"` and `"disk"` (offload) are not available in this version
[[nodiscard]] Result<DeviceId> deviceFromJson(const Json& value, const std::string& pointer);

/// Device of every block from a placement object; the longest matching prefix wins, and `""`
/// matches every block.
/// @errors Invalid: an uncovered block (named), a key that matches no block, a value that is not a
/// device
[[nodiscard]] Result<std::vector<DeviceId>> devicesOfBlocks(const model::Model& model,
                                                            const Json& placement,
                                                            const std::string& pointer);
/// Maximal runs of blocks on one device.
[[nodiscard]] std::vector<Stage> stagesOf(const std::vector<DeviceId>& deviceOfBlock);
/// `[{"first": BLOCK, "device": ID}, …]`; a prefix in `first` means its first block. A list of
/// devices in `device` has one for each replica.
/// @errors Invalid
[[nodiscard]] Result<std::vector<Stage>> stagesFromJson(const model::Model& model,
                                                        const Json& stages,
                                                        const std::string& pointer);
/// Its inverse: with the name of each stage's first block.
[[nodiscard]] Json stagesToJson(const model::Model& model, const std::vector<Stage>& stages);
/// The shortest placement object: a prefix represents all its blocks if they share a device, and
/// `""` all blocks of the model.
[[nodiscard]] Json placementOf(const model::Model& model,
                               const std::vector<DeviceId>& deviceOfBlock);
/// Name of each parameter (its first owner's) used by several stages → those stages, ascending.
using SharedParameters = std::map<std::string, std::vector<int>>;
[[nodiscard]] SharedParameters sharedParameters(const model::Model& model,
                                                const std::vector<Stage>& stages);
/// Of each block the device of its stage, the first one of a group.
[[nodiscard]] std::vector<DeviceId> deviceOfEachBlock(const std::vector<Stage>& stages,
                                                      std::size_t blockCount);

}  // namespace stagelane::plan
