#pragma once

/// Which schedules suit a pipeline's current plan, and why the others do not, for the schedule box
/// of the Plan page. Rules only.

#include <QString>
#include <vector>

#include "engine/base/json.h"
#include "engine/plan/experiment.h"

namespace stagelane::ui {

struct ScheduleChoice {
  QString name;
  QString description;  ///< one sentence from the table of schedules
  QString refusal;      ///< why the current plan cannot use it; empty if it can
};

/// For variant `index` of a document, whose concrete variant is `variant`. Manual placements and
/// listed stages stay as they are; placement modes cut the plan again for each schedule.
[[nodiscard]] std::vector<ScheduleChoice> scheduleChoices(const Json& document, std::size_t index,
                                                          const plan::Experiment& experiment,
                                                          const plan::Variant& variant);

/// Why a variant's schedule does not suit its stages or number of micro-batches; empty if it does,
/// or if the schedule is searched for or read from a file.
[[nodiscard]] QString unsuited(const plan::Experiment& experiment, const plan::Variant& variant);

/// Whether reading the document determines the placement of variant `index`: by a mode, by default,
/// or as another variant of which that is true.
[[nodiscard]] bool placedByMode(const Json& document, std::size_t index);

/// Replaces the schedule of variant `index` and removes chunks that it does not support.
[[nodiscard]] Json withSchedule(Json document, std::size_t index, const QString& schedule);

}  // namespace stagelane::ui
