#pragma once

/// What runs of versions before the codes tell only in sentences: why a variant or a run failed,
/// and that a variant was stopped early. The one place that searches sentences for it; for folders
/// that exist, never for what this version says. Private to engine/record.

#include <string>

#include "engine/record/run_record.h"

namespace stagelane::record {

/// Kind Unknown if no sentence of an older version is recognized.
[[nodiscard]] Failure failureInSentence(const std::string& reason);

/// Fills `failure`, `earlyStop` and `included` from the reason, where none of them was written.
void readReason(VariantResult& variant);

}  // namespace stagelane::record
