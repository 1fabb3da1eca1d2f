#pragma once

/// Checks that a JSON document has the shape of an experiment (lists and objects where expected),
/// so that it can be edited. Values are checked by plan::readExperiment: a document with wrong
/// values can be opened and fixed, one of another shape cannot.

#include "engine/base/json.h"
#include "engine/base/result.h"

namespace stagelane::ui {

/// @errors Invalid with the JSON pointer of the first member of a wrong kind
[[nodiscard]] Status checkShape(const Json& document);

}  // namespace stagelane::ui
