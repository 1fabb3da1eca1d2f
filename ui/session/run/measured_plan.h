#pragma once

/// Whether the numbers of the last measurement are of a plan as it is now, and what that plan was.

#include <QString>
#include <memory>

#include "engine/base/json.h"

namespace stagelane::ui {

class Session;

/// The variant was measured, and neither its plan nor what holds for all variants (model,
/// data, devices, …; not the number of repeats) has changed since. A plan that was changed and is
/// the same again counts as measured.
[[nodiscard]] bool measuredAsItIs(const Session& session, const QString& variantId);

/// The document with the plan of the variant as it was measured last: as it was run, or, where the
/// last run left the variant out, with that variant alone taken back, if nothing else that counts
/// for it has changed. Null where nothing was measured.
[[nodiscard]] std::shared_ptr<const Json> documentWithMeasured(const Session& session,
                                                               const QString& variantId);

}  // namespace stagelane::ui
