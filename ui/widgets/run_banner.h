#pragma once

/// What a page of results says about the run it shows: in progress, canceled, failed, of an older
/// plan. Charts and Report share the words.

#include "ui/models/session.h"
#include "ui/widgets/banner.h"

namespace stagelane::ui {

/// Shows, or hides, the banner for the session's last run.
void showRunBanner(Banner& banner, Session& session);

}  // namespace stagelane::ui
