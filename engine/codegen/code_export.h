#pragma once

/// Exports a plan as code that runs without Stagelane: a PyTorch script in the style of PyTorch's
/// model-parallel tutorial, a script for torch.distributed.pipelining, or the device map for
/// Hugging Face's accelerate. Produces text; accesses neither files nor torch.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/plan/experiment.h"

namespace stagelane::codegen {

enum class CodeForm {
  Tutorial,    ///< one process: a model-parallel class and, if the batch is split, a pipeline
  Pipelining,  ///< one process per device, started by torchrun
  DeviceMap,   ///< `{module: device}`
};
inline constexpr CodeForm kCodeForms[] = {CodeForm::Tutorial, CodeForm::Pipelining,
                                          CodeForm::DeviceMap};

/// `tutorial`, `pipelining`, `device-map`.
[[nodiscard]] std::string_view word(CodeForm form);
[[nodiscard]] std::optional<CodeForm> codeFormFrom(std::string_view word);
/// File name extension of the code: `.py` or `.json`.
[[nodiscard]] std::string_view fileEnding(CodeForm form);

struct ExportedCode {
  std::string text;
  /// Differences between the code and Stagelane; scripts also list them at the top.
  std::vector<std::string> notes;
};

/// Exports one resolved variant of the experiment. The script trains on the experiment's data from
/// its initial values, so that its losses equal those of `stagelane run` up to rounding.
/// @errors Invalid: what the form cannot express (part of the plan, reason, alternative)
/// @thread any
[[nodiscard]] Result<ExportedCode> exportCode(const plan::Experiment& experiment,
                                              const plan::Variant& variant, CodeForm form);

/// The variant to export if none is named: the only one in the file.
/// @errors Invalid: an unknown id, or several variants (lists them)
[[nodiscard]] Result<const plan::Variant*> variantToExport(const plan::Experiment& experiment,
                                                           const std::string& id);

}  // namespace stagelane::codegen
