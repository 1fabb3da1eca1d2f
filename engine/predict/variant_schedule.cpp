#include <algorithm>
#include <set>

#include "engine/base/files.h"
#include "engine/plan/schedule_names.h"
#include "engine/predict/simulator.h"
#include "engine/predict/synthesis.h"
#include "engine/schedule/forward_only.h"
#include "engine/schedule/generators.h"
#include "engine/schedule/text_forms.h"

namespace stagelane::predict {
namespace {

/// The place of a variant's schedule in messages.
std::string placeOf(const plan::Variant& variant) {
  if (variant.pointer.empty()) return "variant \"" + variant.name + "\"";
  return childPointer(variant.pointer, "schedule") + " (variant \"" + variant.name + "\")";
}

std::vector<int> rowOfStages(const plan::Variant& variant, const std::vector<DeviceId>& rows) {
  std::vector<int> answer;
  for (const plan::Stage& stage : variant.stages) {
    const auto row = std::find(rows.begin(), rows.end(), stage.device);
    answer.push_back(static_cast<int>(row - rows.begin()));
  }
  return answer;
}

Result<schedule::Schedule> fromFile(const std::string& path, const std::vector<int>& rowOfStage,
                                    int microBatches) {
  const auto text = readFile(path);
  if (!text) return tl::make_unexpected(text.error());
  auto schedule = schedule::fromCsv(*text, path);
  if (!schedule) return schedule;
  const auto stages = static_cast<int>(rowOfStage.size());
  if (schedule->stages != stages || schedule->microBatches != microBatches) {
    return fail(ErrorCode::Invalid,
                "the schedule has " + std::to_string(schedule->stages) + " stages and " +
                    std::to_string(schedule->microBatches) + " micro-batches, the variant " +
                    std::to_string(stages) + " and " + std::to_string(microBatches),
                path, "Change split_size or the stages, or use another file");
  }
  for (std::size_t stage = 0; stage < rowOfStage.size(); ++stage) {
    if (schedule->deviceOfStage[stage] == rowOfStage[stage]) continue;
    return fail(ErrorCode::Invalid,
                "the schedule has stage " + std::to_string(stage) + " on row " +
                    std::to_string(schedule->deviceOfStage[stage]) +
                    ", and the variant's device of that stage is row " +
                    std::to_string(rowOfStage[stage]),
                path, "Lay the stages out as the rows of the file do");
  }
  return schedule;
}

/// `auto`: searched for with the plan's own costs and its devices' memory.
Result<schedule::Schedule> searchedFor(const plan::Experiment& experiment,
                                       const plan::Variant& variant, const CostTable* table,
                                       const GoesOn& goesOn) {
  const auto costs = planCosts(experiment, variant, table);
  if (!costs) return tl::make_unexpected(costs.error());
  const std::vector<DeviceId> rows = rowsOf(variant);
  SynthesisTask task;
  task.deviceOfStage = rowOfStages(variant, rows);
  task.costs = &*costs;
  task.caps = capsOf(experiment, rows);
  task.tied = tiedStages(*experiment.model, variant.stages);
  task.goesOn = goesOn;
  auto found = synthesize(task);
  if (!found) return tl::make_unexpected(found.error());
  return std::move(found->schedule);
}

}  // namespace

std::vector<DeviceId> rowsOf(const plan::Variant& variant) {
  std::vector<DeviceId> rows;
  for (const plan::Stage& stage : variant.stages) {
    if (std::find(rows.begin(), rows.end(), stage.device) == rows.end()) {
      rows.push_back(stage.device);
    }
  }
  return rows;
}

std::vector<std::int64_t> microBatchSizes(std::int64_t batch, std::int64_t split) {
  std::vector<std::int64_t> sizes;
  if (split < 1) return sizes;
  for (std::int64_t left = batch; left > 0; left -= split) sizes.push_back(std::min(left, split));
  return sizes;
}

schedule::TiedStages tiedStages(const model::Model& model, const std::vector<plan::Stage>& stages) {
  std::set<std::vector<int>> groups;
  for (const auto& shared : plan::sharedParameters(model, stages)) groups.insert(shared.second);
  return {groups.begin(), groups.end()};
}

Result<schedule::LoweredSchedule> lowerVariant(const plan::Experiment& experiment,
                                               const plan::Variant& variant, const CostTable* table,
                                               const GoesOn& goesOn) {
  const std::vector<int> rowOfStage = rowOfStages(variant, rowsOf(variant));
  const auto microBatches =
      static_cast<int>(microBatchSizes(experiment.data.batchSize, variant.splitSize).size());
  const std::string_view name = variant.schedule;
  const bool isFile = name.substr(0, plan::kCsvPrefix.size()) == plan::kCsvPrefix;
  auto schedule =
      isFile ? fromFile(std::string(name.substr(plan::kCsvPrefix.size())), rowOfStage, microBatches)
      : name == plan::kAutoSchedule ? searchedFor(experiment, variant, table, goesOn)
                                    : schedule::generateForStages(name, rowOfStage, microBatches);
  if (!schedule) {
    Error error = schedule.error();
    error.context =
        error.context.empty() ? placeOf(variant) : placeOf(variant) + ", " + error.context;
    return tl::make_unexpected(std::move(error));
  }
  if (experiment.task == plan::Task::Infer) {
    schedule = schedule::forwardOnly(std::move(*schedule));
  }
  schedule::LoweredSchedule lowered =
      schedule::lower(*schedule, tiedStages(*experiment.model, variant.stages));
  if (auto status = schedule::validate(lowered); !status) {
    Error error = status.error();
    error.context = placeOf(variant);
    return tl::make_unexpected(std::move(error));
  }
  return lowered;
}

}  // namespace stagelane::predict
