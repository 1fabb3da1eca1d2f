#pragma once

/// Shows the measured step of a variant of the last run, also of one that the plan has no tab for:
/// a baseline that the product added, a variant that was renamed or deleted since.

#include <QString>

namespace stagelane::ui {

class Session;

/// Makes the variant the one that is shown; without a tab its trace is opened under its name,
/// beside the experiment.
/// @returns why there is nothing to show, then nothing has changed; empty where it is shown
[[nodiscard]] QString showMeasuredStep(Session& session, const QString& variantId);

}  // namespace stagelane::ui
