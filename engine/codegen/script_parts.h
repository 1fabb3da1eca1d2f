#pragma once

/// Common parts of both scripts: head, constants, data, loss and optimizer.

#include <string>
#include <vector>

#include "engine/codegen/model_code.h"
#include "engine/codegen/python_code.h"
#include "engine/plan/experiment.h"

namespace stagelane::codegen::detail {

/// The input of a script.
struct Script {
  const plan::Experiment& experiment;
  const plan::Variant& variant;
  ModelCode model;
  std::vector<std::string> devices;  ///< PyTorch's device name of each stage
  std::vector<std::string> notes;
  std::size_t microBatches = 1;

  [[nodiscard]] bool trains() const { return experiment.task == plan::Task::Train; }
  /// Whether any stage is on a GPU.
  [[nodiscard]] bool onGpu() const;
  [[nodiscard]] int threads() const;
};

/// The docstring (description, usage, differences from Stagelane) and the imports.
void writeHead(Code& code, const Script& script, const std::string& command,
               const std::vector<std::string>& imports);
/// SEED … WARMUP, and STAGES as `(device, first block)`.
void writeConstants(Code& code, const Script& script);
/// `split_into_stages(blocks)`.
void writeStages(Code& code);
/// `make_batches()`.
void writeBatches(Code& code, const Script& script);
/// `loss_of(outputs, labels)` and `make_optimizer(parameters)`.
void writeTraining(Code& code, const Script& script);
/// Number of threads, and whether GPUs may use TF32.
void writeSettings(Code& code, const Script& script);
/// Prints `seconds` and `losses` as text, or as JSON with `--json`.
void writeReport(Code& code);

}  // namespace stagelane::codegen::detail
