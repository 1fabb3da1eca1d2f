#pragma once

/// Reads what run folders of versions without failure codes contain only as sentences: why a
/// variant or a run failed, and that a variant was stopped early. Used only for existing folders,
/// never for messages of this version. Private to engine/record.

#include <string>

#include "engine/record/run_record.h"

namespace stagelane::record {

/// Kind Unknown if no sentence of an older version is recognized.
[[nodiscard]] Failure failureInSentence(const std::string& reason);

/// Fills `failure`, `earlyStop` and `included` from the reason, if none of them is present.
void readReason(VariantResult& variant);

}  // namespace stagelane::record
