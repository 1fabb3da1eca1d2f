#pragma once

/// The badge of a variant's tab: predicted, measured, failed, impossible, and why.

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

/// For the tab's current variant, or for its first one if another tab is current.
[[nodiscard]] VariantBadge badgeOf(const Session& session, const VariantTab& tab);

}  // namespace stagelane::ui
