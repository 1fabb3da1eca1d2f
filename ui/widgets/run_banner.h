#pragma once

/// What a page of results says about the run it shows: in progress, canceled, failed, of an older
/// plan, or could not start.

#include <functional>
#include <vector>

#include "ui/models/session.h"
#include "ui/widgets/banner.h"

namespace stagelane::ui {

/// What may be done about a run that failed or was canceled: its log, the plan (`fixPlan`, where
/// there is one), what is missing, all of it again.
[[nodiscard]] std::vector<BannerButton> endedRunButtons(Session& session,
                                                        std::function<void()> fixPlan);
/// With a capital at its beginning.
[[nodiscard]] QString asSentence(QString text);
/// Shows, or hides, why the last run could not start, or that no run can for want of an engine.
void showStartBanner(Banner& banner, Session& session);
/// Shows, or hides, the banner for the session's last run.
void showRunBanner(Banner& banner, Session& session);

}  // namespace stagelane::ui
