#include "ui/session/prediction/plan_suggestions.h"

#include <QObject>
#include <algorithm>
#include <set>

#include "engine/base/find.h"
#include "engine/plan/rows.h"
#include "engine/schedule/methods.h"
#include "engine/search/placement.h"
#include "engine/search/suggestion.h"
#include "ui/kit/text/formatting.h"
#include "ui/session/document/plan_edits.h"
#include "ui/session/document/schedule_choices.h"
#include "ui/session/prediction/prediction.h"

namespace stagelane::ui {
namespace {

constexpr double kLeastGain = 0.001;  ///< smaller gains do not justify an edit

/// Compares plans on one basis: the costs must cover all of them.
class Search {
 public:
  Search(const plan::Experiment& experiment, const plan::Variant& variant,
         const predict::CostTable* costs, const GoesOn& goesOn)
      : m_experiment(experiment), m_variant(variant), m_costs(costs), m_goesOn(goesOn) {}

  Result<PlanSuggestionsPtr> run() {
    STAGELANE_TRY(now, predictStep(m_experiment, m_variant, {m_costs, {}, m_goesOn}));
    static_cast<StepPrediction&>(m_answer) = *now;
    m_answer.ownSplit = m_variant.splitSize;
    m_answer.fromTable = m_costs != nullptr;
    const bool pipeline = plan::strategyRow(m_variant.strategy).pipelined;
    if (pipeline && m_goesOn()) trySplits();
    if (pipeline && m_goesOn()) trySchedules();
    // The search places stages of one replica.
    const bool single = m_variant.stages.empty() || m_variant.stages.front().group.size() == 1;
    if (!plan::strategyRow(m_variant.strategy).oneDevice && single && m_goesOn()) tryPlacement();
    if (m_experiment.devices.size() > 1 && m_goesOn()) tryEverything();
    return std::make_shared<const PlanSuggestions>(std::move(m_answer));
  }

 private:
  [[nodiscard]] PlanSuggestion asItIs(SuggestionKind kind) const {
    PlanSuggestion own;
    static_cast<StepPrediction&>(own) = m_answer;
    own.kind = kind;
    own.splitSize = m_variant.splitSize;
    own.schedule = m_variant.schedule;
    own.stages = m_variant.stages;
    own.asItIs = true;
    return own;
  }

  /// Whether the step is the better one, and is now the suggestion's.
  static bool takes(PlanSuggestion& best, const StepPrediction& step) {
    if (!predict::isBetter(step, best)) return false;
    static_cast<StepPrediction&>(best) = step;
    best.asItIs = false;
    return true;
  }

  void addProven(PlanSuggestion best, TimeNs lowerBoundNs) {
    best.lowerBoundNs = lowerBoundNs;
    best.gap = predict::gapOf(best.stepNs, lowerBoundNs);
    m_answer.found.push_back(std::move(best));
  }

  void trySplits() {
    PlanSuggestion best = asItIs(SuggestionKind::Split);
    const auto tried = search::splitsToTry(m_experiment.data.batchSize);
    std::set<std::int64_t> sizes(tried.begin(), tried.end());
    sizes.insert(m_variant.splitSize);
    for (const std::int64_t size : sizes) {
      if (!m_goesOn()) return;
      plan::Variant other = m_variant;
      other.splitSize = size;
      const auto step = plan::checkSplit(m_experiment, size)
                            ? predictStep(m_experiment, other, {m_costs, {}, m_goesOn})
                            : Result<StepPrediction>(fail(ErrorCode::Invalid, "unknown split"));
      if (!step) continue;
      m_answer.splits.push_back({size, step->stepNs, !step->fits()});
      if (takes(best, *step)) best.splitSize = size;
    }
    m_answer.found.push_back(std::move(best));
  }

  void trySchedules() {
    PlanSuggestion best = asItIs(SuggestionKind::Schedule);
    const auto published = search::bestSchedule(m_experiment, m_variant, m_costs, m_goesOn);
    if (published && *published && takes(best, **published)) best.schedule = (*published)->schedule;
    plan::Variant searched = m_variant;
    searched.schedule = schedule::kAutoSchedule;
    if (m_variant.schedule != searched.schedule && m_goesOn()) {
      const auto step = predictStep(m_experiment, searched, {m_costs, {}, m_goesOn});
      if (step && takes(best, *step)) best.schedule = searched.schedule;
    }
    m_answer.found.push_back(std::move(best));
  }

  void tryPlacement() {
    search::PlacementTask task;
    task.experiment = &m_experiment;
    task.table = m_costs;
    task.variant = m_variant;
    task.rowOfStage = rowsByList();
    task.goesOn = m_goesOn;
    const auto placed = search::place(task, search::PlacementMode::Optimal);
    if (!placed) return;
    PlanSuggestion best = asItIs(SuggestionKind::Placement);
    if (takes(best, *placed)) best.stages = placed->stages;
    if (plan::microBatchSizes(m_experiment.data.batchSize, m_variant.splitSize).size() < 2) {
      best.balanced = placed->stages == m_variant.stages;
    }
    addProven(std::move(best), placed->lowerBoundNs);
  }

  void tryEverything() {
    const auto found = search::suggest(
        {.experiment = &m_experiment, .table = m_costs, .goesOn = m_goesOn, .kinds = false});
    if (!found) return;
    m_answer.pipelines = search::pipelinesOf(*found);
    PlanSuggestion best = asItIs(SuggestionKind::Everything);
    const search::SuggestedPlan& plan = found->best;
    if (takes(best, plan)) {
      best.splitSize = plan.splitSize;
      best.schedule = plan.schedule;
      best.stages = plan.stages;
    }
    addProven(std::move(best), found->lowerBoundNs);
  }

  /// Device index of each stage; one stage per device if the plan leaves some devices unused.
  [[nodiscard]] std::vector<int> rowsByList() const {
    std::vector<int> rows;
    std::set<int> used;
    for (const plan::Stage& stage : m_variant.stages) {
      const auto* found = plan::findDevice(m_experiment.devices, stage.group.first());
      rows.push_back(static_cast<int>(found - m_experiment.devices.data()));
      used.insert(rows.back());
    }
    return used.size() == m_experiment.devices.size() ? rows : std::vector<int>{};
  }

  const plan::Experiment& m_experiment;
  const plan::Variant& m_variant;
  const predict::CostTable* m_costs;
  const GoesOn& m_goesOn;
  PlanSuggestions m_answer;
};

}  // namespace

const PlanSuggestion* PlanSuggestions::of(SuggestionKind kind) const {
  return findBy(found, &PlanSuggestion::kind, kind);
}

double PlanSuggestions::gain(const PlanSuggestion& suggestion) const {
  return stepNs > 0 ? static_cast<double>(stepNs - suggestion.stepNs) / static_cast<double>(stepNs)
                    : 0.0;
}

bool PlanSuggestions::fixes(const PlanSuggestion& suggestion) const {
  return !fits() && suggestion.fits();
}

bool PlanSuggestions::worthAnEdit(const PlanSuggestion& suggestion) const {
  return !suggestion.asItIs && (fixes(suggestion) || gain(suggestion) >= kLeastGain);
}

std::optional<std::size_t> PlanSuggestions::bestSplit() const {
  const PlanSuggestion* suggestion = of(SuggestionKind::Split);
  if (suggestion == nullptr || !suggestion->fits()) return std::nullopt;
  const std::int64_t size = worthAnEdit(*suggestion) ? suggestion->splitSize : ownSplit;
  const auto match = std::find_if(splits.begin(), splits.end(), [size](const SplitPoint& point) {
    return point.splitSize == size && !point.overBudget;
  });
  return match == splits.end() ? std::nullopt
                               : std::optional(static_cast<std::size_t>(match - splits.begin()));
}

Result<PlanSuggestionsPtr> suggestionsFor(const plan::Experiment& experiment,
                                          const plan::Variant& variant,
                                          const predict::CostTable* costs, const GoesOn& goesOn) {
  return predict::costsOrEstimates(costs, [&](const predict::CostTable* table) {
    return Search(experiment, variant, table, goesOn).run();
  });
}

Json withSuggestion(Json document, std::size_t index, const model::Model& model,
                    const PlanSuggestion& suggestion) {
  switch (suggestion.kind) {
    case SuggestionKind::Split:
      return withVariantMember(std::move(document), index, "split_size", suggestion.splitSize);
    case SuggestionKind::Schedule:
      return withSchedule(std::move(document), index, qstring(suggestion.schedule));
    case SuggestionKind::Placement:
      return withStages(std::move(document), index, model, suggestion.stages);
    case SuggestionKind::Everything: break;
  }
  Json& variant = document["variants"][index];
  for (const char* key : {"replicas", "bucket_mb", "first_bucket_mb", "gradient_as_bucket_view",
                          "find_unused", "processes", "threads", "updates"}) {
    variant.erase(key);
  }
  variant["strategy"] = plan::pipelineStrategy().name;
  variant["schedule"] = suggestion.schedule;
  variant["split_size"] = suggestion.splitSize;
  return withStages(std::move(document), index, model, suggestion.stages);
}

Json withSuggestionBeside(Json document, std::size_t index, const model::Model& model,
                          const PlanSuggestion& suggestion) {
  document = withDuplicatedVariant(std::move(document), index);
  ++index;
  document["variants"][index]["split_size"] = suggestion.splitSize;
  document["variants"][index]["schedule"] = suggestion.schedule;
  document = withSuggestion(std::move(document), index, model, suggestion);
  return withVariantNamed(std::move(document), index,
                          u"%1 %2"_s.arg(qstring(suggestion.schedule)).arg(suggestion.splitSize));
}

QString suggestionTitle(const PlanSuggestion& suggestion) {
  switch (suggestion.kind) {
    case SuggestionKind::Split: return QObject::tr("Split size %1").arg(suggestion.splitSize);
    case SuggestionKind::Schedule:
      return QObject::tr("Schedule %1").arg(qstring(suggestion.schedule));
    case SuggestionKind::Placement: return QObject::tr("Optimal placement");
    case SuggestionKind::Everything: break;
  }
  return QObject::tr("Best pipeline found");
}

QString ownPlacementTitle(const PlanSuggestion& placement) {
  if (!placement.balanced) return QObject::tr("No placement is clearly better");
  return *placement.balanced ? QObject::tr("The stages are balanced")
                             : QObject::tr("Faster than balanced stages");
}

namespace {

QString proofText(const PlanSuggestion& suggestion) {
  if (suggestion.lowerBoundNs <= 0) return {};
  const QString others = suggestion.kind == SuggestionKind::Placement
                             ? QObject::tr("cut or order of these stages")
                             : QObject::tr("order of these stages");
  constexpr double kShown = 0.0005;  // less would read as "0.0 %"
  if (suggestion.gap < kShown) return QObject::tr("proven: no %1 is faster").arg(others);
  return QObject::tr("proven within %1: no %2 takes less than %3")
      .arg(percentText(suggestion.gap, 1), others, timeText(suggestion.lowerBoundNs));
}

}  // namespace

QString suggestionText(const PlanSuggestion& suggestion) {
  const QString proof = proofText(suggestion);
  if (suggestion.kind != SuggestionKind::Everything) return proof;
  return QObject::tr("%1, split %2, %3; %4")
      .arg(qstring(suggestion.schedule))
      .arg(suggestion.splitSize)
      .arg(countedText(static_cast<std::int64_t>(suggestion.stages.size()), QObject::tr("stage"),
                       QObject::tr("stages")),
           proof);
}

}  // namespace stagelane::ui
