#pragma once

/// What a page of results says about the run it shows: in progress, canceled, failed, of an older
/// plan, or could not start. All pages but Plan share the words.

#include "ui/models/session.h"
#include "ui/widgets/banner.h"

namespace stagelane::ui {

/// Shows, or hides, why the last run could not start, or that no run can for want of an engine.
void showStartBanner(Banner& banner, Session& session);
/// Shows, or hides, the banner for the session's last run.
void showRunBanner(Banner& banner, Session& session);

}  // namespace stagelane::ui
