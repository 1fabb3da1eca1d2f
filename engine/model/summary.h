#pragma once

/// Tables of a model: torchsummary 1.5.1's text and PyTorch's module text (both character for
/// character), a richer table, and the JSON of docs/reference/models.md.

#include <string>

#include "engine/base/json.h"
#include "engine/model/shapes.h"

namespace stagelane::model {

/// Output of torchsummary 1.5.1's `summary(model, input)` (batch -1), including the final newline.
/// `input` has no batch. @errors Invalid
[[nodiscard]] Result<std::string> torchsummaryTable(const Model& model, const Shape& input);
/// `repr(model)` of PyTorch, without a final newline.
[[nodiscard]] std::string reprText(const Model& model);
/// Per call: name, class, output, parameters, MACs, output and saved bytes (float32); a line of
/// totals for each block with several calls, and for the model. @errors Invalid
[[nodiscard]] Result<std::string> richTable(const Model& model, const Shape& input,
                                            std::int64_t batch);
/// The keys of `conformance/summary/layers`. @errors Invalid
[[nodiscard]] Result<Json> summaryJson(const Model& model, const Shape& input, std::int64_t batch);

}  // namespace stagelane::model
