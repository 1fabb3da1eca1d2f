#pragma once

/// What the tab of a variant says about it: predicted, measured, failed, impossible, and why.

#include <QString>

#include "ui/kit/badge.h"
#include "ui/session/document/document.h"

namespace stagelane::ui {

class Session;

struct VariantBadge {
  QString text;
  Tone tone = Tone::Neutral;
  QString tip;
};

/// Of the tab's current variant, or of its first one where another tab is current.
[[nodiscard]] VariantBadge badgeOf(const Session& session, const VariantTab& tab);

}  // namespace stagelane::ui
