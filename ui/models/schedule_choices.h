#pragma once

/// Which schedules suit a pipeline's plan, and why the others do not: what the schedule box of the
/// Plan page offers. Rules only; the box draws them.

#include <QString>
#include <vector>

#include "engine/base/json.h"
#include "engine/plan/experiment.h"

namespace stagelane::ui {

struct ScheduleChoice {
  QString name;
  QString refusal;  ///< empty when it can be chosen
};

/// For variant `index` of a document whose concrete variant is `variant`. A placement of blocks and
/// listed stages stay as they are; a plan that is cut by a mode is cut again for each schedule.
[[nodiscard]] std::vector<ScheduleChoice> scheduleChoices(const Json& document, std::size_t index,
                                                          const plan::Experiment& experiment,
                                                          const plan::Variant& variant);

/// The document with the schedule of variant `index` replaced; chunks that it cannot have go.
[[nodiscard]] Json withSchedule(Json document, std::size_t index, const QString& schedule);

}  // namespace stagelane::ui
