#pragma once

/// Names the points of a sweep by what differs between them. Pure.

#include <QString>
#include <vector>

#include "engine/plan/experiment.h"
#include "ui/session/document/document.h"

namespace stagelane::ui {

struct SweepMember {
  QString variantId;
  QString name;  ///< "gpipe", "split 20", "gpipe, split 20"
  friend bool operator==(const SweepMember&, const SweepMember&) = default;
};

/// In the tab's order; empty for a tab that is not a sweep. If the experiment lacks them, named by
/// what their ids add to the tab's.
[[nodiscard]] std::vector<SweepMember> sweepMembers(const VariantTab& tab,
                                                    const plan::Experiment* experiment);

}  // namespace stagelane::ui
