#pragma once

/// Whether a JSON document has the shape of an experiment, so that it can be edited: lists where
/// lists are expected, objects where objects are. What the values mean is for plan::readExperiment;
/// a document with wrong values can be opened and mended, one of another shape cannot.

#include "engine/base/json.h"
#include "engine/base/result.h"

namespace stagelane::ui {

/// @errors Invalid with the JSON pointer of the first member of a wrong kind
[[nodiscard]] Status checkShape(const Json& document);

}  // namespace stagelane::ui
