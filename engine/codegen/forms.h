#pragma once

/// The three export forms, each written from a plan that the caller has checked.

#include "engine/base/result.h"
#include "engine/codegen/script_parts.h"
#include "engine/plan/experiment.h"
#include "engine/schedule/lowering.h"

namespace stagelane::codegen::detail {

[[nodiscard]] std::string tutorialScript(const Script& script);

/// The script for torch.distributed.pipelining.
/// @errors Invalid: what torch.distributed.pipelining does not support
[[nodiscard]] Result<std::string> pipeliningScript(Script script,
                                                   const schedule::LoweredSchedule& lowered);

/// @errors Invalid
[[nodiscard]] Result<std::string> deviceMap(const plan::Variant& variant,
                                            std::vector<std::string>& notes);

}  // namespace stagelane::codegen::detail
