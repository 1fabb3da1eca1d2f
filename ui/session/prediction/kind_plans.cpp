#include "ui/session/prediction/kind_plans.h"

#include <QObject>
#include <algorithm>
#include <array>

#include "engine/plan/rows.h"
#include "engine/plan/stage_layout.h"
#include "engine/search/suggestion.h"
#include "ui/kit/text/formatting.h"
#include "ui/session/document/plan_edits.h"

namespace stagelane::ui {
namespace {

/// Members that a plan of another kind does not have, or that were not part of the prediction.
constexpr std::array kPlanMembers{"device",
                                  "placement",
                                  "stages",
                                  "schedule",
                                  "split_size",
                                  "chunks",
                                  "recompute",
                                  "replicas",
                                  "bucket_mb",
                                  "first_bucket_mb",
                                  "gradient_as_bucket_view",
                                  "find_unused",
                                  "processes",
                                  "threads",
                                  "updates"};

Result<std::vector<search::KindPlan>> knownPipelines(const KindQuestion& question,
                                                     const predict::CostTable* table) {
  if (question.suggestions) return question.suggestions->pipelines;
  if (question.experiment->devices.size() < 2) return std::vector<search::KindPlan>();
  STAGELANE_TRY(found, search::suggest({.experiment = question.experiment,
                                        .table = table,
                                        .goesOn = question.goesOn,
                                        .kinds = false}));
  return search::pipelinesOf(*found);
}

Result<KindPlansPtr> searchKinds(const KindQuestion& question, const predict::CostTable* table) {
  STAGELANE_TRY(known, knownPipelines(question, table));
  STAGELANE_TRY(plans, search::bestOfKinds({.experiment = question.experiment,
                                            .table = table,
                                            .goesOn = question.goesOn,
                                            .known = std::move(*known),
                                            .progress = question.progress}));
  auto answer = std::make_shared<KindPlans>();
  answer->plans = std::move(*plans);
  answer->base = predict::baseStepOf(*question.experiment, table);
  answer->complete = isWanted(question.goesOn);
  return KindPlansPtr(std::move(answer));
}

/// The split that a variant has if it names none; 0: it has to name one.
std::int64_t defaultSplit(const plan::Experiment& experiment, const plan::StrategyRow& row) {
  const std::int64_t batch = experiment.data.batchSize;
  const auto devices = static_cast<std::int64_t>(experiment.devices.size());
  if (row.pipelined) return 0;
  return row.replicates ? (batch + devices - 1) / devices : batch;
}

/// The stages of the first replica, if the reader finds the devices of the others from them; else
/// nothing.
std::vector<plan::Stage> firstReplica(const plan::Experiment& experiment,
                                      const search::KindPlan& plan) {
  std::vector<plan::Stage> stages = plan.stages;
  for (plan::Stage& stage : stages) stage.group = stage.group.first();
  const std::vector<DeviceId> devices = plan::rowsOf(stages);
  const auto groups = plan::replicaGroups(experiment.devices, devices, plan.replicas);
  for (const plan::Stage& stage : plan.stages) {
    if (std::find(groups.begin(), groups.end(), stage.group) == groups.end()) return {};
  }
  return stages;
}

}  // namespace

double KindPlans::speedup(const search::KindPlan& plan) const {
  return base.stepNs > 0 && plan.stepNs > 0
             ? static_cast<double>(base.stepNs) / static_cast<double>(plan.stepNs)
             : 0.0;
}

Result<KindPlansPtr> kindPlansFor(const KindQuestion& question) {
  // Candidates that were predicted with estimates are not comparable with others.
  const bool estimated = question.suggestions && !question.suggestions->fromTable;
  return predict::costsOrEstimates(
      estimated ? nullptr : question.costs,
      [&](const predict::CostTable* table) { return searchKinds(question, table); });
}

QString kindTitle(plan::Strategy strategy, int replicas) {
  const plan::StrategyRow& row = plan::strategyRow(strategy);
  const QString title = QObject::tr(row.title.data());
  return row.pipelined && replicas > 1 ? QObject::tr("%1 × %2").arg(title).arg(replicas) : title;
}

QString kindName(const search::KindPlan& plan) {
  const plan::StrategyRow& row = plan::strategyRow(plan.strategy);
  const QString name = qstring(row.name);
  return row.pipelined && plan.replicas > 1 ? u"%1.%2"_s.arg(name).arg(plan.replicas) : name;
}

bool isPlan(const plan::Variant& variant, const search::KindPlan& plan) {
  return variant.strategy == plan.strategy && variant.schedule == plan.schedule &&
         variant.splitSize == plan.splitSize && variant.stages == plan.stages;
}

Json withKind(Json document, std::size_t index, const plan::Experiment& experiment,
              const search::KindPlan& plan) {
  const plan::StrategyRow& row = plan::strategyRow(plan.strategy);
  Json& variant = document["variants"][index];
  for (const char* member : kPlanMembers) variant.erase(member);
  variant["strategy"] = row.name;
  if (row.pipelined) variant["schedule"] = plan.schedule;
  if (plan.splitSize != defaultSplit(experiment, row)) variant["split_size"] = plan.splitSize;
  if (row.oneDevice) variant["device"] = plan.stages.front().group.first().value;
  if (row.oneDevice || row.replicates) return document;
  const auto first =
      plan.replicas > 1 ? firstReplica(experiment, plan) : std::vector<plan::Stage>();
  if (first.empty()) return withStages(std::move(document), index, *experiment.model, plan.stages);
  document = withStages(std::move(document), index, *experiment.model, first);
  return withVariantMember(std::move(document), index, "replicas", plan.replicas);
}

Json withKindBeside(Json document, std::size_t index, const plan::Experiment& experiment,
                    const search::KindPlan& plan) {
  document = withDuplicatedVariant(std::move(document), index);
  ++index;
  document = withKind(std::move(document), index, experiment, plan);
  return withVariantNamed(std::move(document), index, kindTitle(plan.strategy, plan.replicas));
}

}  // namespace stagelane::ui
