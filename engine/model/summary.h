#pragma once

/// Tables of a model: torchsummary 1.5.1's text and PyTorch's module text (both character for
/// character), a richer table, and the JSON of the contract.

#include <string>

#include "engine/base/json.h"
#include "engine/model/shapes.h"

namespace stagelane::model {

/// torchsummary 1.5.1's `summary(model, input)` (batch -1). `input` has no batch. @errors Invalid
[[nodiscard]] Result<std::string> torchsummaryTable(const Model& model, const Shape& input);
/// `repr(model)` of PyTorch.
[[nodiscard]] std::string reprText(const Model& model);
/// Per layer: name, class, output, parameters, MACs, activation and saved bytes; block totals.
[[nodiscard]] Result<std::string> richTable(const Model& model, const Shape& input,
                                            std::int64_t batch);
/// The keys of `conformance/summary/layers`. @errors Invalid
[[nodiscard]] Result<Json> summaryJson(const Model& model, const Shape& input, std::int64_t batch);

}  // namespace stagelane::model
