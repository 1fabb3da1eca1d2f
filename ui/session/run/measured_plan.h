#pragma once

/// Whether the last measurement is of the current plan, and what the measured plan was.

#include <QString>
#include <memory>

#include "engine/base/json.h"

namespace stagelane::ui {

class ExperimentDocument;
class MeasuredResults;

/// The variant was measured, and neither its plan nor the shared settings (model, data, devices, …;
/// not the number of repeats) differ. A plan that was changed and changed back counts as measured.
[[nodiscard]] bool measuredAsItIs(const MeasuredResults& results,
                                  const ExperimentDocument& document, const QString& variantId);

/// The document with the variant's plan as last measured: the whole document as run or, if the last
/// run left the variant out and no other relevant setting differs, only that variant reverted. Null
/// if nothing was measured.
[[nodiscard]] std::shared_ptr<const Json> documentWithMeasured(const MeasuredResults& results,
                                                               const ExperimentDocument& document,
                                                               const QString& variantId);

}  // namespace stagelane::ui
