#pragma once

/// Edits of an experiment document as pure functions: JSON in, JSON out, nothing else touched. The
/// undo commands of the window are made of these. They keep a document readable where they can
/// (strategy and placement go together) and never judge whether a plan is good.

#include <QString>
#include <cstddef>
#include <vector>

#include "engine/base/ids.h"
#include "engine/base/json.h"
#include "engine/model/model.h"
#include "engine/plan/experiment.h"
#include "engine/plan/stages.h"

namespace stagelane::ui {

/// Where the chain's blocks are and where stages begin, as a tab shows it.
struct PlanShape {
  std::vector<DeviceId> deviceOfBlock;
  std::vector<bool> stageBegins;  ///< true for block 0 and after every cut
  friend bool operator==(const PlanShape&, const PlanShape&) = default;
};

[[nodiscard]] PlanShape shapeOf(const std::vector<plan::Stage>& stages, std::size_t blockCount);
[[nodiscard]] std::vector<plan::Stage> stagesOf(const PlanShape& shape);

/// The blocks on `device`; cuts go where devices change, explicit cuts inside a device stay.
[[nodiscard]] PlanShape moved(const PlanShape& shape, const std::vector<std::size_t>& blocks,
                              const DeviceId& device);
/// From `block` to the end of its stage a stage begins on the next of `devices` that has none yet;
/// where all have one, the nearest boundary comes to lie before `block`. @pre 0 < block < size
[[nodiscard]] PlanShape cutBefore(const PlanShape& shape, std::size_t block,
                                  const std::vector<DeviceId>& devices);
/// Contiguous parts of about equal weight, one per device: where a plan must start somewhere.
[[nodiscard]] PlanShape evenlyCut(const std::vector<double>& weights,
                                  const std::vector<DeviceId>& devices);

/// The document with the placement of variant `index` replaced. A `single` that comes to use two
/// devices becomes `model_parallel`.
[[nodiscard]] Json withShape(Json document, std::size_t index, const model::Model& model,
                             const PlanShape& shape);
/// `shape` is used where a placement is needed and the variant has none.
[[nodiscard]] Json withStrategy(Json document, std::size_t index, const plan::StrategyRow& strategy,
                                const model::Model& model, const PlanShape& shape);
/// Where the document leaves its devices to the machine (`{"auto": 2}`), variant `index` says `#0`,
/// `#1` for the names of `devices`, so that the file stays right on another machine.
[[nodiscard]] Json withDeviceNumbers(Json document, std::size_t index,
                                     const std::vector<DeviceId>& devices);
[[nodiscard]] Json withVariantMember(Json document, std::size_t index, const std::string& key,
                                     Json value);
/// `path` are the keys from the root: {"data", "batch_size"}.
[[nodiscard]] Json withMember(Json document, const std::vector<std::string>& path, Json value);

/// Other variants that say "same as: OLD" follow.
[[nodiscard]] Json withRenamedVariant(Json document, std::size_t index, const QString& name);
/// The copy stands behind the original and has a name of its own.
[[nodiscard]] Json withDuplicatedVariant(Json document, std::size_t index);
/// Variant `index` named so, with a number behind where another has the name. References to it
/// stay.
[[nodiscard]] Json withVariantNamed(Json document, std::size_t index, const QString& name);
/// Variants that said "same as:" it get its placement.
[[nodiscard]] Json withoutVariant(Json document, std::size_t index);

/// Stages as the document lists them.
[[nodiscard]] Json stagesJson(const model::Model& model, const std::vector<plan::Stage>& stages);
/// The boundary between two stages that is nearest to `block`; 0 where there is none.
[[nodiscard]] std::size_t nearestBoundary(const PlanShape& shape, std::size_t block);

/// "layer3.0–layer3.5", "conv1", "conv1, fc": block indices in words.
[[nodiscard]] QString blocksText(const model::Model& model, const std::vector<std::size_t>& blocks);

}  // namespace stagelane::ui
