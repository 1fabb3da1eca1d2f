#pragma once

/// A plan as code that runs without Stagelane: a PyTorch script in the style of PyTorch's
/// model-parallel tutorial, a script for torch.distributed.pipelining, or the device map that
/// Hugging Face's accelerate reads. Text from values: knows neither files nor torch.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/plan/experiment.h"
#include "engine/predict/cost_table.h"

namespace stagelane::codegen {

enum class CodeForm {
  Tutorial,    ///< one process: a model-parallel class and, where the batch is split, a pipeline
  Pipelining,  ///< one process a device, started by torchrun
  DeviceMap,   ///< `{module: device}`
};
inline constexpr CodeForm kCodeForms[] = {CodeForm::Tutorial, CodeForm::Pipelining,
                                          CodeForm::DeviceMap};

/// `tutorial`, `pipelining`, `device-map`.
[[nodiscard]] std::string_view word(CodeForm form);
[[nodiscard]] std::optional<CodeForm> codeFormFrom(std::string_view word);
/// Of the file that it is kept in: `.py` or `.json`.
[[nodiscard]] std::string_view fileEnding(CodeForm form);

struct ExportedCode {
  std::string text;
  /// What the code does not do as Stagelane does; scripts say it at their top as well.
  std::vector<std::string> notes;
};

/// One variant of the experiment. The script trains on the experiment's data from its initial
/// values, so that its losses are those of `stagelane run` to rounding.
/// `costs` are what an `auto` schedule is searched for with; null: estimates.
/// @errors Invalid: what the form cannot say (which part of the plan, why, and what to use instead)
/// @thread any; `auto` searches, which can take seconds
[[nodiscard]] Result<ExportedCode> exportCode(const plan::Experiment& experiment,
                                              const plan::Variant& variant, CodeForm form,
                                              const predict::CostTable* costs = nullptr);

/// The variant that is meant where none is named: the only one of the file.
/// @errors Invalid: an unknown id, or a choice of several (lists them)
[[nodiscard]] Result<const plan::Variant*> variantToExport(const plan::Experiment& experiment,
                                                           const std::string& id);

}  // namespace stagelane::codegen
