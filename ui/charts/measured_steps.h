#pragma once

/// Shows the measured step of a variant of the last run, including variants without a tab:
/// baselines, and variants that were renamed or deleted since.

#include <QString>

namespace stagelane::ui {

class Session;

/// Selects the variant; without a tab, opens its trace under its name beside the experiment.
/// @returns why there is nothing to show, in which case nothing changes; empty on success
[[nodiscard]] QString showMeasuredStep(Session& session, const QString& variantId);

}  // namespace stagelane::ui
