#pragma once

/// Whether the numbers of the last run are of a plan as it is now.

#include <QString>

#include "ui/models/session.h"

namespace stagelane::ui {

/// The variant was in the last run, and neither its plan nor what holds for all variants (model,
/// data, devices, …; not the number of repeats) has changed since. A plan that was changed and is
/// the same again counts as measured.
[[nodiscard]] bool measuredAsItIs(const Session& session, const QString& variantId);

}  // namespace stagelane::ui
