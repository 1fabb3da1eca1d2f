#pragma once

/// The stages that a schedule requires: how many on each device, in which device order, and which
/// parts are left to a search (engine/search/resolve.h).

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/plan/experiment.h"
#include "engine/schedule/methods.h"

namespace stagelane::plan {

struct WantedStages {
  schedule::StageLayout layout = schedule::StageLayout::Free;
  int chunks = 1;             ///< stages per device
  int replicas = 1;           ///< of each stage; they have devices of their own
  bool fewer = false;         ///< a model with fewer blocks may have fewer stages
  std::vector<int> fileRows;  ///< row of each stage of a CSV schedule
  std::string pointer;        ///< JSON pointer of the key that requires this number of stages
};

/// Stages whose boundaries depend on block costs. Until the search runs, the variant has the same
/// number of stages on the same devices, cut evenly.
struct OpenStages {
  std::vector<WantedStages> layouts;  ///< if several: use the one with the shortest step (`auto`)
  std::vector<Stage> runs;            ///< to be split as the layout requires; empty: cut all blocks
  Strategy strategy{};                ///< of the variant that defines the placement
  Recompute recompute = Recompute::Never;  ///< of that variant
  std::int64_t samples = 1;                ///< micro-batch size for block costs
};

/// Device number of each stage for a plan with `devices` devices.
[[nodiscard]] std::vector<int> devicesOfStages(const WantedStages& wanted, int devices);

/// The number of stages that each run of blocks becomes. Empty if the runs stay as they are: the
/// layout has no consecutive stages on one device (except at the turn of a V), or lowering reports
/// the error.
[[nodiscard]] std::vector<std::size_t> stagesOfRuns(const std::vector<Stage>& runs,
                                                    const WantedStages& wanted);

/// Splits the blocks as evenly as possible; the first parts have one more.
[[nodiscard]] std::vector<std::size_t> uniformCut(std::size_t blocks, std::size_t parts);

/// The group of each device of `first`: the device itself and those of the other replicas, which
/// are the next devices of `all` that `first` does not contain. Empty if there are too few.
[[nodiscard]] std::vector<DeviceGroup> replicaGroups(const std::vector<DeviceSpec>& all,
                                                     const std::vector<DeviceId>& first,
                                                     int replicas);

/// Sets the variant's stages and everything derived from them. A stage on one device gets the group
/// that the variant has for this device.
void setStages(const model::Model& model, std::vector<Stage> stages, Variant& variant);

}  // namespace stagelane::plan
