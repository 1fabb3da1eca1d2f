#pragma once

/// Numbers as people type them into a field.

#include <QString>

#include "engine/base/result.h"

namespace stagelane::ui {

/// @errors Invalid: no number (also nan and inf), or one outside `low` … `high`; `label` says whose
[[nodiscard]] Result<double> numberFromText(const QString& label, const QString& text, double low,
                                            double high);

}  // namespace stagelane::ui
