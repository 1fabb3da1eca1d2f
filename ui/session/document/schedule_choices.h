#pragma once

/// Which schedules suit a pipeline's plan as it is, and why the others do not: how the schedule box
/// of the Plan page marks them. Rules only; the box draws them.

#include <QString>
#include <vector>

#include "engine/base/json.h"
#include "engine/plan/experiment.h"

namespace stagelane::ui {

struct ScheduleChoice {
  QString name;
  QString description;  ///< one sentence of the table of schedules
  QString refusal;      ///< why the plan cannot have it as it is; empty when it can
};

/// For variant `index` of a document whose concrete variant is `variant`. A placement of blocks and
/// listed stages stay as they are; a plan that is cut by a mode is cut again for each schedule.
[[nodiscard]] std::vector<ScheduleChoice> scheduleChoices(const Json& document, std::size_t index,
                                                          const plan::Experiment& experiment,
                                                          const plan::Variant& variant);

/// Why the schedule of a variant cannot have its stages or its number of micro-batches; empty when
/// it can, and where the schedule is searched for or read from a file.
[[nodiscard]] QString unsuited(const plan::Experiment& experiment, const plan::Variant& variant);

/// Whether reading the document decides where the blocks of variant `index` go: by a mode, by none,
/// or as another variant of which that is true.
[[nodiscard]] bool placedByMode(const Json& document, std::size_t index);

/// The document with the schedule of variant `index` replaced; chunks that it cannot have go.
[[nodiscard]] Json withSchedule(Json document, std::size_t index, const QString& schedule);

}  // namespace stagelane::ui
