#include "ui/plan/plan_model/schedule_fixes.h"

#include <QObject>
#include <algorithm>

#include "engine/base/find.h"
#include "engine/plan/rows.h"
#include "engine/predict/simulator.h"
#include "engine/schedule/generators.h"
#include "engine/schedule/methods.h"
#include "engine/search/partition.h"
#include "ui/kit/text/formatting.h"
#include "ui/session/document/schedule_choices.h"
#include "ui/session/document/variant_choices.h"
#include "ui/session/document/variant_json.h"

namespace stagelane::ui {
namespace {

/// The plan as its schedule sees it.
struct Layout {
  std::string schedule;
  schedule::StageLayout wanted = schedule::StageLayout::Free;
  int chunks = 1;  ///< stages per device that the schedule requires
  int microBatches = 1;
  std::vector<DeviceId> devices;  ///< those in use, in the order of the chain
  std::vector<int> rows;          ///< of the stages
  [[nodiscard]] std::vector<int> wantedRows() const {
    return schedule::rowsOfStages(wanted, static_cast<int>(devices.size()), chunks);
  }
  [[nodiscard]] Status suits(const std::vector<int>& stages) const {
    return schedule::suits(schedule, stages, microBatches);
  }
  /// Whether the stages match the schedule, so that something else is the problem.
  [[nodiscard]] bool laidOut() const {
    return wanted == schedule::StageLayout::Free || rows == wantedRows();
  }
};

const Json* variantOf(const PlanQuestion& question) {
  return question.document == nullptr ? nullptr : variantAt(*question.document, question.index);
}

std::int64_t integerOr(const Json& object, const char* key, std::int64_t fallback) {
  const auto found = object.find(key);
  return found != object.end() && found->is_number_integer() ? found->get<std::int64_t>()
                                                             : fallback;
}

/// The variant, or its readable part.
plan::Variant variantAsFarAsKnown(const PlanQuestion& question, const Json& json) {
  if (question.variant != nullptr) return *question.variant;
  plan::Variant variant;
  const plan::StrategyRow& strategy = strategyOf(json);
  variant.strategy = strategy.strategy;
  variant.schedule = textMember(json, "schedule", strategy.schedule);
  variant.splitSize =
      std::max<std::int64_t>(1, integerOr(json, "split_size", question.experiment->data.batchSize));
  variant.stages = stagesOf(*question.shape);
  return variant;
}

/// Nothing if no schedule constrains the plan.
std::optional<Layout> layoutOf(const PlanQuestion& question) {
  const Json* json = variantOf(question);
  if (json == nullptr || !strategyOf(*json).pipelined) return std::nullopt;
  const plan::Variant variant = variantAsFarAsKnown(question, *json);
  const auto& names = schedule::generatedScheduleNames();
  if (!contains(names, variant.schedule)) {
    return std::nullopt;  // searched, or read from a file
  }
  const schedule::ScheduleLayout own = schedule::layoutOf(variant.schedule);
  Layout layout;
  layout.schedule = variant.schedule;
  layout.wanted = own.layout;
  layout.chunks = static_cast<int>(integerOr(*json, "chunks", own.chunks));
  layout.microBatches = static_cast<int>(
      plan::microBatchSizes(question.experiment->data.batchSize, variant.splitSize).size());
  const std::vector<plan::Stage> stages = stagesOf(*question.shape);
  layout.devices = plan::rowsOf(stages);
  layout.rows = plan::stageRowsOf(stages).rowOfStage();
  return layout;
}

/// The problem with the stages of row `row`; empty for none.
QString wrongWith(const Layout& layout, int row, const PlanShape& shape) {
  const auto stages = std::count(layout.rows.begin(), layout.rows.end(), row);
  const DeviceId& device = layout.devices[static_cast<std::size_t>(row)];
  if (stages != layout.chunks) {
    const bool inParts = layout.chunks == 1 && scattered(shape) == device;
    return inParts ? QObject::tr("not contiguous")
                   : QObject::tr("%1, not %2")
                         .arg(countedText(stages, QObject::tr("stage"), QObject::tr("stages")))
                         .arg(layout.chunks);
  }
  const std::vector<int> wanted = layout.wantedRows();
  for (std::size_t stage = 0; wanted.size() == layout.rows.size() && stage < wanted.size();
       ++stage) {
    if ((wanted[stage] == row) != (layout.rows[stage] == row)) {
      return QObject::tr("wrong stage order");
    }
  }
  return {};
}

/// Whether the error is in the variant itself.
bool ownError(const PlanQuestion& question) {
  const std::string own = "/variants/" + std::to_string(question.index);
  return (*question.error)->context.rfind(own, 0) == 0;
}

/// One problem per device that breaks the layout; one for every device if the sizes break the rule.
std::vector<PlanProblem> breachesOfLayout(const Layout& layout, const PlanShape& shape,
                                          const QString& text) {
  std::vector<PlanProblem> problems;
  for (int row = 0; row < static_cast<int>(layout.devices.size()); ++row) {
    const QString brief = layout.laidOut()
                              ? countedText(layout.microBatches, QObject::tr("micro-batch"),
                                            QObject::tr("micro-batches"))
                              : wrongWith(layout, row, shape);
    if (!brief.isEmpty()) {
      problems.push_back(
          {ProblemKind::Schedule, layout.devices[static_cast<std::size_t>(row)], brief, text});
    }
  }
  return problems;
}

/// Whether the variant is valid and its schedule suits the sizes.
bool isSound(const PlanQuestion& question, const Json& document) {
  return refusalOf(document, question.index, question.baseFolder).isEmpty();
}

std::optional<PlanFix> otherStages(const PlanQuestion& question, const Layout& layout) {
  const bool ofHand = !placedByMode(*question.document, question.index);
  if (!ofHand || layout.laidOut()) return std::nullopt;
  const std::vector<int> rows = layout.wantedRows();
  if (rows.size() > question.weights.size() || !layout.suits(rows)) return std::nullopt;
  if (layout.chunks == 1) {
    const QString text = scattered(*question.shape)
                             ? QObject::tr("Make each device's blocks contiguous")
                             : QObject::tr("Join the stages of each device");
    return PlanFix{text, inRuns(*question.shape), {}, {}};
  }
  return PlanFix{QObject::tr("Cut the model into %1 stages").arg(rows.size()),
                 cutInto(question.weights, rows, layout.devices),
                 {},
                 {}};
}

/// The nearest split size whose number of micro-batches suits the schedule.
std::optional<PlanFix> otherSplit(const PlanQuestion& question, const Layout& layout) {
  const Json& variant = (*question.document)["variants"][question.index];
  const auto split = variant.find("split_size");
  if (!layout.laidOut() || split == variant.end() || !split->is_number_integer()) {
    return std::nullopt;
  }
  const std::int64_t batch = question.experiment->data.batchSize;
  const auto now = split->get<std::int64_t>();
  const auto works = [&](std::int64_t size) {
    if (size < 1 || size > batch) return false;
    const auto sizes = plan::microBatchSizes(batch, size);
    return schedule::suits(layout.schedule, layout.rows, static_cast<int>(sizes.size())) &&
           plan::checkSplit(*question.experiment, size);
  };
  for (std::int64_t distance = 1; distance < batch; ++distance) {
    for (const std::int64_t size : {now - distance, now + distance}) {
      if (works(size)) {
        const auto count = static_cast<std::int64_t>(plan::microBatchSizes(batch, size).size());
        return PlanFix{
            QObject::tr("Split size %1: %2")
                .arg(size)
                .arg(countedText(count, QObject::tr("micro-batch"), QObject::tr("micro-batches"))),
            {},
            {},
            withVariantMember(*question.document, question.index, "split_size", size)};
      }
    }
  }
  return std::nullopt;
}

std::optional<PlanFix> withoutMember(const PlanQuestion& question, const char* member,
                                     const QString& text) {
  Json document = *question.document;
  Json& variant = document["variants"][question.index];
  if (!variant.contains(member)) return std::nullopt;
  variant.erase(member);
  return isSound(question, document) ? std::optional(PlanFix{text, {}, {}, std::move(document)})
                                     : std::nullopt;
}

std::optional<PlanFix> otherPlacement(const PlanQuestion& question) {
  const Json& variant = (*question.document)["variants"][question.index];
  if (!variant.contains("placement") || !variant["placement"].is_string()) return std::nullopt;
  Json document =
      withVariantMember(*question.document, question.index, "placement", Json("optimal"));
  return isSound(question, document)
             ? std::optional(
                   PlanFix{QObject::tr("Placement: optimal"), {}, {}, std::move(document)})
             : std::nullopt;
}

/// The plain schedule, else the first one available for this plan.
std::optional<PlanFix> otherSchedule(const PlanQuestion& question, const Json& json) {
  const plan::Variant variant = variantAsFarAsKnown(question, json);
  const std::vector<ScheduleChoice> choices =
      scheduleChoices(*question.document, question.index, *question.experiment, variant);
  const QString plain = qstring(plan::pipelineStrategy().schedule);
  std::optional<PlanFix> best;
  for (const ScheduleChoice& choice : choices) {
    const bool other = choice.name != qstring(variant.schedule) && choice.refusal.isEmpty();
    if (!other || (best && choice.name != plain)) continue;
    Json document = withSchedule(*question.document, question.index, choice.name);
    if (isSound(question, document)) {
      best = PlanFix{QObject::tr("Schedule %1").arg(choice.name), {}, {}, std::move(document)};
    }
  }
  return best;
}

}  // namespace

std::optional<DeviceId> scattered(const PlanShape& shape) {
  std::vector<DeviceId> left;
  for (std::size_t block = 0; block < shape.deviceOfBlock.size(); ++block) {
    const DeviceId& here = shape.deviceOfBlock[block];
    if (block > 0 && here == shape.deviceOfBlock[block - 1]) continue;
    if (contains(left, here)) return here;
    left.push_back(here);
  }
  return std::nullopt;
}

PlanShape inRuns(const PlanShape& shape) {
  std::vector<DeviceId> order;
  for (const DeviceId& device : shape.deviceOfBlock) {
    if (!contains(order, device)) order.push_back(device);
  }
  PlanShape after;
  for (const DeviceId& device : order) {
    const auto count = std::count(shape.deviceOfBlock.begin(), shape.deviceOfBlock.end(), device);
    after.deviceOfBlock.insert(after.deviceOfBlock.end(), static_cast<std::size_t>(count), device);
  }
  after.stageBegins.assign(after.deviceOfBlock.size(), false);
  for (std::size_t block = 0; block < after.stageBegins.size(); ++block) {
    after.stageBegins[block] =
        block == 0 || after.deviceOfBlock[block] != after.deviceOfBlock[block - 1];
  }
  return after;
}

PlanShape cutInto(const std::vector<double>& weights, const std::vector<int>& rows,
                  const std::vector<DeviceId>& devices) {
  const std::vector<std::size_t> firsts =
      search::minBottleneckCut(std::vector<std::vector<double>>(rows.size(), weights));
  std::vector<plan::Stage> stages;
  for (std::size_t stage = 0; stage < firsts.size(); ++stage) {
    const std::size_t end = stage + 1 < firsts.size() ? firsts[stage + 1] : weights.size();
    stages.push_back({firsts[stage], end - 1, devices[static_cast<std::size_t>(rows[stage])]});
  }
  return shapeOf(stages, weights.size());
}

std::vector<PlanProblem> breachesOf(const PlanQuestion& question) {
  const auto layout = layoutOf(question);
  const Status suits = layout ? layout->suits(layout->rows) : Status{};
  const QString why = qstring((*question.error)->message);
  if (question.variant != nullptr && layout && !suits) {
    return breachesOfLayout(*layout, *question.shape, why);
  }
  return ownError(question) ? std::vector<PlanProblem>{{ProblemKind::Schedule, {}, {}, why}}
                            : std::vector<PlanProblem>{};
}

std::optional<PlanFix> fixOfSchedule(const PlanQuestion& question) {
  const auto layout = layoutOf(question);
  const Json* json = variantOf(question);
  if (json == nullptr) return std::nullopt;
  if (layout) {
    if (auto fix = otherStages(question, *layout)) return fix;
  }
  if (question.variant == nullptr) {
    if (auto fix = withoutMember(question, "chunks", QObject::tr("Remove chunks"))) return fix;
    if (auto fix = otherPlacement(question)) return fix;
  } else if (layout) {
    if (auto fix = otherSplit(question, *layout)) return fix;
  }
  // Searched and loaded schedules have no layout rule, but another schedule may still work.
  return strategyOf(*json).pipelined ? otherSchedule(question, *json) : std::nullopt;
}

}  // namespace stagelane::ui
