#include "ui/session/document/schedule_choices.h"

#include <QObject>
#include <set>

#include "engine/base/find.h"
#include "engine/plan/rows.h"
#include "engine/predict/simulator.h"
#include "engine/schedule/generators.h"
#include "engine/schedule/methods.h"
#include "ui/kit/text/formatting.h"
#include "ui/session/document/plan_edits.h"
#include "ui/session/document/variant_json.h"

namespace stagelane::ui {
namespace {

bool cutByMode(const Json& variant) {
  const auto placement = variant.find("placement");
  const plan::StrategyRow& strategy = strategyOf(variant);
  if (variant.contains("stages") || strategy.oneDevice || strategy.replicates) return false;
  return placement == variant.end() || placement->is_string();
}

/// Stages per device that the document asks for, if the schedule supports them.
int chunksFor(const Json& variant, const std::string& schedule) {
  const auto asked = variant.find("chunks");
  if (asked != variant.end() && asked->is_number_integer()) {
    const int chunks = asked->get<int>();
    if (schedule::checkChunks(schedule, chunks)) return chunks;
  }
  return schedule::layoutOf(schedule).chunks;
}

/// The plan of the first replica: the others have the same.
std::vector<plan::Stage> firstReplica(std::vector<plan::Stage> stages) {
  for (plan::Stage& stage : stages) stage.group = stage.group.first();
  return stages;
}

std::size_t replicasOf(const plan::Variant& variant) {
  return variant.stages.empty() ? 1 : variant.stages.front().group.size();
}

/// Rows of the stages that a replica of the plan would have with the schedule.
std::vector<int> rowsWith(const std::string& schedule, const Json& document, std::size_t index,
                          const plan::Experiment& experiment, const plan::Variant& variant) {
  const schedule::StageLayout layout = schedule::layoutOf(schedule).layout;
  const int chunks = chunksFor(document["variants"][index], schedule);
  const Json& placed = placedBy(document["variants"], document["variants"][index]);
  if (cutByMode(placed)) {
    const std::size_t devices = experiment.devices.size() / replicasOf(variant);
    return schedule::rowsOfStages(layout, static_cast<int>(devices), chunks);
  }
  if (placed.contains("stages")) {
    return plan::stageRowsOf(firstReplica(variant.stages)).rowOfStage();
  }
  const schedule::StageRows runs = plan::stageRowsOf(
      plan::stagesOf(plan::deviceOfEachBlock(variant.stages, experiment.model->blocks.size())));
  const std::vector<int> rows = schedule::rowsOfStages(layout, runs.rows(), chunks);
  return schedule::stagesInRuns(rows, runs.rowOfStage()).empty() ? runs.rowOfStage() : rows;
}

/// "All forwards, then all backwards (arXiv:1811.06965)"
QString descriptionOf(const std::string& name) {
  const schedule::Method& method = *schedule::methodNamed(name);
  const QString paper = qstring(std::string(method.paper));
  return QObject::tr(method.description.data()) +
         (paper.isEmpty() ? QString() : u" (%1)"_s.arg(paper));
}

}  // namespace

QString unsuited(const plan::Experiment& experiment, const plan::Variant& variant) {
  const auto& names = schedule::generatedScheduleNames();
  if (!plan::strategyRow(variant.strategy).pipelined || !contains(names, variant.schedule)) {
    return {};
  }
  const auto microBatches =
      static_cast<int>(plan::microBatchSizes(experiment.data.batchSize, variant.splitSize).size());
  const Status fits =
      schedule::suits(variant.schedule, plan::stageRowsOf(variant.stages), microBatches);
  return fits ? QString() : qstring(fits.error().message);
}

bool placedByMode(const Json& document, std::size_t index) {
  return cutByMode(placedBy(document["variants"], document["variants"][index]));
}

std::vector<ScheduleChoice> scheduleChoices(const Json& document, std::size_t index,
                                            const plan::Experiment& experiment,
                                            const plan::Variant& variant) {
  const auto all =
      static_cast<int>(plan::microBatchSizes(experiment.data.batchSize, variant.splitSize).size());
  // Replicas take turns; the last one may have a micro-batch less than the first.
  const auto replicas = static_cast<int>(replicasOf(variant));
  const std::set<int> counts{(all + replicas - 1) / replicas, all / replicas};
  std::vector<ScheduleChoice> choices;
  for (const std::string& name : schedule::pipelineScheduleNames()) {
    ScheduleChoice choice{qstring(name), descriptionOf(name), {}};
    // A schedule without a layout of its own takes any plan.
    if (schedule::layoutOf(name).layout != schedule::StageLayout::Free) {
      const std::vector<int> rows = rowsWith(name, document, index, experiment, variant);
      const std::size_t blocks = experiment.model->blocks.size();
      if (rows.size() > blocks) {
        choice.refusal = QObject::tr("%1 needs %2 stages, but the model has %3 blocks")
                             .arg(choice.name)
                             .arg(rows.size())
                             .arg(blocks);
      } else {
        for (const int microBatches : counts) {
          const Status fits = schedule::suits(name, rows, microBatches);
          if (!fits) choice.refusal = errorText(fits.error());
        }
      }
    }
    choices.push_back(std::move(choice));
  }
  return choices;
}

Json withSchedule(Json document, std::size_t index, const QString& schedule) {
  Json changed = withVariantMember(std::move(document), index, "schedule", utf8(schedule));
  Json& variant = changed["variants"][index];
  const auto chunks = variant.find("chunks");
  const bool keeps = chunks != variant.end() && chunks->is_number_integer() &&
                     schedule::checkChunks(utf8(schedule), chunks->get<int>()).has_value();
  if (!keeps) variant.erase("chunks");
  return changed;
}

}  // namespace stagelane::ui
