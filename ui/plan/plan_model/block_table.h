#pragma once

/// Figures of a model's blocks and layers for the Plan page: parameters, forward and backward time,
/// memory kept. Computed once per model, input and micro-batch; independent of window and plan.

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
  std::int64_t macs = 0;  ///< of one micro-batch, forward pass
  TimeNs forwardNs = 0;   ///< of one micro-batch
  TimeNs backwardNs = 0;
  TimeNs inputNs = 0;  ///< the two halves of the backward pass
  TimeNs weightNs = 0;
  Bytes activationBytes = 0;  ///< of all its outputs, as torchsummary counts them
  Bytes keptBytes = 0;        ///< kept from forward to backward, per micro-batch
  Bytes parameterBytes = 0;
  Bytes bufferBytes = 0;
  Bytes residentBytes = 0;  ///< parameters, gradients and buffers
  Bytes outputBytes = 0;    ///< transferred across a cut after it, per micro-batch
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

/// What a table depends on: tables with equal keys are equal.
[[nodiscard]] std::string blockTableKey(const plan::Experiment& experiment,
                                        std::int64_t microBatch);

/// Times are for the experiment's first device, so that a chip keeps its width on every lane. They
/// come from the costs where these cover a block, else from estimates (null: all estimated).
/// @errors Invalid: the input does not fit the model
[[nodiscard]] Result<BlockTablePtr> makeBlockTable(const plan::Experiment& experiment,
                                                   std::int64_t microBatch,
                                                   const predict::CostTable* costs = nullptr);

}  // namespace stagelane::ui
