#pragma once

/// Edits of an experiment document as pure functions on JSON, used by the window's undo commands.
/// They keep a document readable where they can (strategy and placement change together) and do not
/// judge plans.

#include <QString>
#include <cstddef>
#include <optional>
#include <vector>

#include "engine/base/ids.h"
#include "engine/base/json.h"
#include "engine/model/model.h"
#include "engine/plan/experiment.h"
#include "engine/plan/stages.h"

namespace stagelane::ui {

/// The devices of the chain's blocks and the starts of stages, as a tab shows them. Replicas have
/// one shape: that of the first.
struct PlanShape {
  std::vector<DeviceId> deviceOfBlock;      ///< of the first replica
  std::vector<bool> stageBegins;            ///< true for block 0 and after each cut
  std::vector<plan::DeviceGroup> groups{};  ///< of stages with several replicas, each once
  friend bool operator==(const PlanShape&, const PlanShape&) = default;
};

/// The devices of a block's replicas, from the first; one without replicas.
[[nodiscard]] plan::DeviceGroup replicasOfBlock(const PlanShape& shape, std::size_t block);
/// The device of the first replica that has the same stages as this one; itself if it has none.
[[nodiscard]] const DeviceId& firstReplicaOf(const PlanShape& shape, const DeviceId& device);

[[nodiscard]] PlanShape shapeOf(const std::vector<plan::Stage>& stages, std::size_t blockCount);
[[nodiscard]] std::vector<plan::Stage> stagesOf(const PlanShape& shape);

/// Moves the blocks to `device`; cuts follow device changes, explicit cuts inside a device stay.
[[nodiscard]] PlanShape moved(const PlanShape& shape, const std::vector<std::size_t>& blocks,
                              const DeviceId& device);
/// Starts a stage at `block`, up to the end of its stage, on the next unused one of `devices`; if
/// all are used, moves the nearest boundary to `block`. @pre 0 < block < size
[[nodiscard]] PlanShape cutBefore(const PlanShape& shape, std::size_t block,
                                  const std::vector<DeviceId>& devices);
/// Contiguous parts of about equal weight, one per device: a starting point for a plan.
[[nodiscard]] PlanShape evenlyCut(const std::vector<double>& weights,
                                  const std::vector<DeviceId>& devices);

/// Replaces a variant's placement. A `single` that now uses two devices becomes `model_parallel`.
/// Stages that list a device for each replica keep their lists; a strategy that has the whole model
/// on every device has no placement and stays as it is.
[[nodiscard]] Json withShape(Json document, std::size_t index, const model::Model& model,
                             const PlanShape& shape);
/// Replaces the placement by these stages: as a placement if each device has one stage, else as a
/// list of stages, which names the devices of replicas.
[[nodiscard]] Json withStages(Json document, std::size_t index, const model::Model& model,
                              const std::vector<plan::Stage>& stages);
/// `shape` is used if a placement is needed and the variant has none. Removes the members that the
/// strategy does not have.
[[nodiscard]] Json withStrategy(Json document, std::size_t index, const plan::StrategyRow& strategy,
                                const model::Model& model, const PlanShape& shape);
/// Why variants of the strategy cannot have this shape; nothing if they can.
[[nodiscard]] std::optional<QString> placementRefusal(const plan::StrategyRow& strategy,
                                                      const PlanShape& shape);
/// The shape of one replica: `shape` if there are devices for so many, else an even cut over its
/// part of the devices.
[[nodiscard]] PlanShape shapeForReplicas(const PlanShape& shape, const std::vector<double>& weights,
                                         const std::vector<DeviceId>& devices,
                                         std::size_t replicas);
/// Sets the number of replicas of a pipeline. `shape` replaces the placement, if given.
[[nodiscard]] Json withReplicas(Json document, std::size_t index, std::int64_t replicas,
                                const model::Model& model, const std::optional<PlanShape>& shape);
/// If the document leaves its devices to the machine (`{"auto": 2}`), writes `#0`, `#1` for the
/// names of `devices` in variant `index` so that the file is valid on other machines.
[[nodiscard]] Json withDeviceNumbers(Json document, std::size_t index,
                                     const std::vector<DeviceId>& devices);
[[nodiscard]] Json withVariantMember(Json document, std::size_t index, const std::string& key,
                                     Json value);
/// `path` are the keys from the root: {"data", "batch_size"}.
[[nodiscard]] Json withMember(Json document, const std::vector<std::string>& path, Json value);

/// Also renames it in other variants' "same as: OLD".
[[nodiscard]] Json withRenamedVariant(Json document, std::size_t index, const QString& name);
/// Inserts the copy after the original, with a name of its own.
[[nodiscard]] Json withDuplicatedVariant(Json document, std::size_t index);
/// Renames variant `index`, with a number appended if the name is taken. References to it stay.
[[nodiscard]] Json withVariantNamed(Json document, std::size_t index, const QString& name);
/// Variants with "same as:" it get its placement.
[[nodiscard]] Json withoutVariant(Json document, std::size_t index);

/// The boundary between two stages that is nearest to `block`; 0 for none.
[[nodiscard]] std::size_t nearestBoundary(const PlanShape& shape, std::size_t block);

/// "layer3.0–layer3.5", "conv1", "conv1, fc": block indices in words.
[[nodiscard]] QString blocksText(const model::Model& model, const std::vector<std::size_t>& blocks);

}  // namespace stagelane::ui
