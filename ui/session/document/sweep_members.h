#pragma once

/// The points of a sweep as people tell them apart: by what differs between them. Pure.

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

/// In the tab's order; none for a tab that is no sweep. Without an experiment that has them, by
/// what their ids have beside the tab's.
[[nodiscard]] std::vector<SweepMember> sweepMembers(const VariantTab& tab,
                                                    const plan::Experiment* experiment);

}  // namespace stagelane::ui
