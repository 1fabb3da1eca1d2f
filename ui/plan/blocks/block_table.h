#pragma once

/// Figures of a model's blocks and layers as the Plan page shows them: parameters, forward and
/// backward time, memory kept. Computed once per model, input and micro-batch; no window, no plan.

#include <QString>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/base/ids.h"
#include "engine/base/result.h"
#include "engine/plan/experiment.h"
#include "engine/predict/cost_table.h"

namespace stagelane::ui {

struct BlockFigures {
  QString name;
  QString className;
  std::int64_t parameters = 0;
  std::int64_t macs = 0;  ///< forward, of one micro-batch
  TimeNs forwardNs = 0;   ///< of one micro-batch
  TimeNs backwardNs = 0;
  TimeNs inputNs = 0;  ///< the halves of the backward
  TimeNs weightNs = 0;
  Bytes activationBytes = 0;  ///< of all its outputs, as torchsummary counts them
  Bytes keptBytes = 0;        ///< held from forward to backward, of one micro-batch
  Bytes parameterBytes = 0;
  Bytes bufferBytes = 0;
  Bytes residentBytes = 0;  ///< parameters, gradients and buffers
  Bytes outputBytes = 0;    ///< what crosses a cut behind it, of one micro-batch
  [[nodiscard]] TimeNs timeNs() const { return forwardNs + backwardNs; }
  [[nodiscard]] Bytes memoryBytes() const { return keptBytes + residentBytes; }
};

struct BlockTable {
  model::ModelPtr model;
  std::int64_t microBatch = 0;
  predict::Basis basis = predict::Basis::Estimate;  ///< of the times
  std::vector<BlockFigures> blocks;
  std::vector<std::int64_t> layerParameters;  ///< of Model::layers
};
using BlockTablePtr = std::shared_ptr<const BlockTable>;

/// What a table depends on: with the same key it need not be made again.
[[nodiscard]] std::string blockTableKey(const plan::Experiment& experiment,
                                        std::int64_t microBatch);

/// Times are those of the experiment's first device, so that a chip keeps its width on any lane: by
/// the costs where they have it, else estimated (null: estimated).
/// @errors Invalid: the input does not fit the model
[[nodiscard]] Result<BlockTablePtr> makeBlockTable(const plan::Experiment& experiment,
                                                   std::int64_t microBatch,
                                                   const predict::CostTable* costs = nullptr);

}  // namespace stagelane::ui
