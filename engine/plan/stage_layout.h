#pragma once

/// How a schedule wants the stages of a variant: how many on each device, and in which order the
/// devices come; and what of that a file leaves to a search (engine/search/resolve.h).

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/plan/experiment.h"
#include "engine/schedule/methods.h"

namespace stagelane::plan {

struct WantedStages {
  schedule::StageLayout layout = schedule::StageLayout::Free;
  int chunks = 1;             ///< stages a device
  bool fewer = false;         ///< a model of fewer blocks may have fewer stages
  std::vector<int> fileRows;  ///< row of each stage of a CSV schedule
  std::string pointer;        ///< the key that asks for so many stages
};

/// Stages whose first blocks depend on what the blocks cost. Until they are found, the variant's
/// stages are as many, on the same devices, and cut evenly.
struct OpenStages {
  std::vector<WantedStages> layouts;  ///< more than one: that with the shortest step (`auto`)
  std::vector<Stage> runs;            ///< to be split as the layout wants; empty: cut all blocks
  Strategy strategy{};                ///< of the variant whose placement it is
  Recompute recompute = Recompute::Never;  ///< of that variant
  std::int64_t samples = 1;                ///< a micro-batch: what the blocks are timed with
};

/// Device number of each stage over `devices` devices of the plan.
[[nodiscard]] std::vector<int> devicesOfStages(const WantedStages& wanted, int devices);

/// How many stages each run of blocks becomes. Empty where they stay as they are: the layout has
/// no stages in a row on one device (as at the turn of a V), or lowering names the rule.
[[nodiscard]] std::vector<std::size_t> stagesOfRuns(const std::vector<Stage>& runs,
                                                    const WantedStages& wanted);

/// As many blocks a part as possible alike; the first parts have one more.
[[nodiscard]] std::vector<std::size_t> uniformCut(std::size_t blocks, std::size_t parts);

/// Gives the variant these stages and what follows from them.
void setStages(const model::Model& model, std::vector<Stage> stages, Variant& variant);

}  // namespace stagelane::plan
