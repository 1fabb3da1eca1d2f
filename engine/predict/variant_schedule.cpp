#include "engine/predict/variant_schedule.h"

#include <algorithm>
#include <set>

#include "engine/base/files.h"
#include "engine/base/json.h"
#include "engine/plan/fixed_plan.h"
#include "engine/plan/rows.h"
#include "engine/schedule/forward_only.h"
#include "engine/schedule/generators.h"
#include "engine/schedule/methods.h"
#include "engine/schedule/text_forms.h"

namespace stagelane::predict {
namespace {

/// The place of a variant's schedule in error messages.
std::string placeOf(const plan::Variant& variant) {
  if (variant.pointer.empty()) return "variant \"" + variant.name + "\"";
  return childPointer(variant.pointer, "schedule") + " (variant \"" + variant.name + "\")";
}

Result<schedule::Schedule> fromRows(std::string_view text, const std::string& source,
                                    const schedule::StageRows& rows, int microBatches) {
  STAGELANE_CHECK(schedule::requireSingle(rows));
  auto schedule = schedule::fromCsv(text, source);
  if (!schedule) return schedule;
  const int stages = rows.stages();
  if (schedule->stages != stages || schedule->microBatches != microBatches) {
    return fail(ErrorCode::Invalid,
                "the schedule has " + std::to_string(schedule->stages) + " stages and " +
                    std::to_string(schedule->microBatches) +
                    " micro-batches, but the variant has " + std::to_string(stages) + " and " +
                    std::to_string(microBatches),
                source, "Change split_size or the stages, or use another file");
  }
  for (int stage = 0; stage < stages; ++stage) {
    const int row = schedule->rows.row(stage);
    if (row == rows.row(stage)) continue;
    return fail(ErrorCode::Invalid,
                "the schedule has stage " + std::to_string(stage) + " on row " +
                    std::to_string(row) + ", but the variant has it on row " +
                    std::to_string(rows.row(stage)),
                source, "Assign the stages to devices as in the rows of the file");
  }
  return schedule;
}

Result<schedule::Schedule> fromFile(const std::string& path, const schedule::StageRows& rows,
                                    int microBatches) {
  STAGELANE_TRY(text, readFile(path));
  return fromRows(*text, path, rows, microBatches);
}

bool isFile(std::string_view name) { return name.starts_with(schedule::kCsvPrefix); }

bool isPublished(std::string_view order) {
  const std::vector<std::string>& names = schedule::generatedScheduleNames();
  return std::find(names.begin(), names.end(), order) != names.end();
}

/// Whether the rows come from a file or a search. Those of a generator are valid, as tests prove.
bool hasOwnRows(const plan::Variant& variant) {
  return isFile(variant.schedule) ||
         (variant.schedule == schedule::kAutoSchedule && !isPublished(variant.order));
}

/// The resolved order of `auto`: a published schedule, or custom rows.
Result<schedule::Schedule> resolvedOrder(const plan::Variant& variant,
                                         const schedule::StageRows& rows, int microBatches) {
  if (variant.order.empty()) {
    return fail(ErrorCode::Invalid, "the order of the schedule \"auto\" is not resolved");
  }
  auto schedule = isPublished(variant.order)
                      ? schedule::generateForStages(variant.order, rows, microBatches)
                      : fromRows(variant.order, "order", rows, microBatches);
  if (schedule) schedule->name = std::string(schedule::kAutoSchedule);
  return schedule;
}

Status readPlan(const std::string& file, plan::Experiment& experiment) {
  STAGELANE_TRY(plan, readJsonFile(file));
  STAGELANE_CHECK(plan::applyFixedPlan(*plan, file, experiment));
  for (const plan::Variant& variant : experiment.variants) {
    if (variant.open || variant.order.empty()) continue;
    if (const auto lowered = lowerVariant(experiment, variant); !lowered) {
      return fail(ErrorCode::Invalid, lowered.error().message,
                  childPointer(childPointer(file + ":/variants", variant.id), "order"));
    }
  }
  return {};
}

}  // namespace

schedule::TiedStages tiedStages(const model::Model& model, const std::vector<plan::Stage>& stages) {
  std::set<std::vector<int>> groups;
  for (const auto& shared : plan::sharedParameters(model, stages)) groups.insert(shared.second);
  return {groups.begin(), groups.end()};
}

schedule::LoweredSchedule lowerFor(plan::Task task, schedule::Schedule schedule,
                                   const schedule::TiedStages& tied) {
  if (task == plan::Task::Infer) schedule = schedule::forwardOnly(std::move(schedule));
  return schedule::lower(std::move(schedule), tied);
}

Error atSchedule(const plan::Variant& variant, Error error) {
  error.context =
      error.context.empty() ? placeOf(variant) : placeOf(variant) + ", " + error.context;
  return error;
}

Result<schedule::LoweredSchedule> lowerVariant(const plan::Experiment& experiment,
                                               const plan::Variant& variant) {
  const schedule::StageRows rows = plan::stageRowsOf(variant.stages);
  const auto microBatches =
      static_cast<int>(plan::microBatchSizes(experiment.data.batchSize, variant.splitSize).size());
  const std::string_view name = variant.schedule;
  auto schedule =
      isFile(name)
          ? fromFile(std::string(name.substr(schedule::kCsvPrefix.size())), rows, microBatches)
      : name == schedule::kAutoSchedule ? resolvedOrder(variant, rows, microBatches)
                                        : schedule::generateForStages(name, rows, microBatches);
  if (!schedule) return tl::make_unexpected(atSchedule(variant, schedule.error()));
  schedule::LoweredSchedule lowered = lowerFor(experiment.task, std::move(*schedule),
                                               tiedStages(*experiment.model, variant.stages));
  if (hasOwnRows(variant)) {
    if (const Status valid = schedule::validate(lowered); !valid) {
      return tl::make_unexpected(atSchedule(variant, valid.error()));
    }
  }
  return lowered;
}

Status checkSchedules(const plan::Experiment& experiment) {
  for (const plan::Variant& variant : experiment.variants) {
    if (!variant.include || plan::hasOpenOrder(variant)) continue;
    if (auto lowered = lowerVariant(experiment, variant); !lowered) {
      Error error = lowered.error();
      if (!variant.pointer.empty()) error.context = variant.pointer;
      error.message = "variant \"" + variant.name + "\": " + error.message;
      return tl::make_unexpected(error);
    }
  }
  return {};
}

Status applyPlanFile(const std::string& file, plan::Experiment& experiment) {
  Status applied = readPlan(file, experiment);
  if (!applied) applied.error().hint = "Remove the file or the option --plan to search again";
  return applied;
}

}  // namespace stagelane::predict
