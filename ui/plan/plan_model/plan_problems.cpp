#include "ui/plan/plan_model/plan_problems.h"

#include <QObject>

#include "engine/plan/hosts.h"
#include "engine/plan/imagined.h"
#include "ui/kit/text/formatting.h"
#include "ui/plan/plan_model/failure_fixes.h"
#include "ui/plan/plan_model/schedule_fixes.h"

namespace stagelane::ui {
namespace {

std::vector<std::size_t> blocksOn(const PlanShape& shape, const DeviceId& device) {
  std::vector<std::size_t> blocks;
  for (std::size_t block = 0; block < shape.deviceOfBlock.size(); ++block) {
    if (replicasOfBlock(shape, block).contains(device)) blocks.push_back(block);
  }
  return blocks;
}

bool isReal(const plan::Experiment& experiment, const DeviceId& id) {
  const plan::DeviceSpec* spec = plan::findDevice(experiment.devices, id);
  return spec != nullptr && !plan::isImagined(*spec);
}

/// Candidate devices for the blocks of an imagined device: the previous one in the chain, the next,
/// any other; first those that keep each device's blocks contiguous.
std::optional<DeviceId> realFor(const std::vector<std::size_t>& blocks, const PlanShape& shape,
                                const plan::Experiment& experiment) {
  std::vector<DeviceId> candidates;
  if (blocks.front() > 0) candidates.push_back(shape.deviceOfBlock[blocks.front() - 1]);
  if (blocks.back() + 1 < shape.deviceOfBlock.size()) {
    candidates.push_back(shape.deviceOfBlock[blocks.back() + 1]);
  }
  for (const plan::DeviceSpec& spec : experiment.devices) candidates.push_back(spec.id);
  std::optional<DeviceId> first;
  for (const DeviceId& candidate : candidates) {
    if (isReal(experiment, candidate)) {
      if (!scattered(moved(shape, blocks, candidate))) return candidate;
      first = first ? first : candidate;
    }
  }
  return first;
}

void addOverBudget(const PlanPrediction& prediction, std::vector<PlanProblem>& problems) {
  for (const PredictedDevice& device : prediction.devices) {
    if (device.overBudget()) {
      problems.push_back({ProblemKind::OverBudget, device.id, QObject::tr("over budget"),
                          QObject::tr("%1 is over budget: needs %2, has %3")
                              .arg(qstring(device.id.value), bytesText(device.peakBytes),
                                   bytesText(*device.budgetBytes))});
    }
  }
}

/// The device that is not on the host of the first one.
void addHosts(const plan::Experiment& experiment, std::vector<PlanProblem>& problems) {
  const auto host = plan::hostOf(experiment);
  if (host) return;
  DeviceId elsewhere;
  std::optional<std::string> first;
  for (const plan::DeviceSpec& spec : experiment.devices) {
    if (plan::isImagined(spec)) continue;
    if (elsewhere.value.empty() && first && plan::hostOf(spec.id) != *first) elsewhere = spec.id;
    first = first.value_or(plan::hostOf(spec.id));
  }
  problems.push_back(
      {ProblemKind::Hosts, elsewhere, QObject::tr("other host"), sentenceText(host.error())});
}

std::optional<PlanFix> fixOfMemory(const PlanQuestion& question,
                                   const PlanSuggestions* suggestions) {
  const PlanSuggestion* best = nullptr;
  for (const SuggestionKind kind : {SuggestionKind::Placement, SuggestionKind::Split,
                                    SuggestionKind::Schedule, SuggestionKind::Everything}) {
    const PlanSuggestion* suggestion = suggestions == nullptr ? nullptr : suggestions->of(kind);
    if (suggestion == nullptr || !suggestion->fits() || suggestion->asItIs) continue;
    const bool may = !question.mayTake || question.mayTake(*suggestion);
    if (best == nullptr || may) best = suggestion;
    if (may) break;
  }
  return best == nullptr ? std::nullopt
                         : std::optional(PlanFix{
                               QObject::tr("Use: %1").arg(suggestionTitle(*best)), {}, *best, {}});
}

}  // namespace

std::vector<PlanProblem> problemsOf(const PlanQuestion& question) {
  std::vector<PlanProblem> problems;
  const bool impossible = question.error != nullptr && question.error->has_value();
  if (question.prediction != nullptr && !impossible) addOverBudget(*question.prediction, problems);
  if (question.shape == nullptr || question.experiment == nullptr) return problems;
  if (impossible) {
    const std::vector<PlanProblem> breaches = breachesOf(question);
    problems.insert(problems.end(), breaches.begin(), breaches.end());
  }
  for (const plan::DeviceSpec& spec : question.experiment->devices) {
    if (plan::isImagined(spec) && !blocksOn(*question.shape, spec.id).empty()) {
      problems.push_back({ProblemKind::Imagined, spec.id, QObject::tr("imagined"),
                          QObject::tr("%1 is imagined: the plan can be predicted but not run")
                              .arg(qstring(spec.id.value))});
    }
  }
  addHosts(*question.experiment, problems);
  if (problems.empty() && question.failure) problems.push_back(problemOfFailure(question));
  return problems;
}

std::vector<std::size_t> blocksOf(const PlanProblem& problem, const PlanShape& shape) {
  return blocksOn(shape, problem.device);
}

std::optional<PlanFix> fixOf(const PlanProblem& problem, const PlanQuestion& question,
                             const PlanSuggestions* suggestions) {
  if (problem.kind == ProblemKind::OverBudget) return fixOfMemory(question, suggestions);
  if (question.shape == nullptr || question.experiment == nullptr) return std::nullopt;
  if (problem.kind == ProblemKind::Hosts) return std::nullopt;  // a person knows which to remove
  if (problem.kind == ProblemKind::Schedule) return fixOfSchedule(question);
  if (problem.kind == ProblemKind::Failed) return fixOfFailure(question);
  // Blocks of replicas are in several places, and a move would take them from all.
  if (!question.shape->groups.empty()) return std::nullopt;
  const auto blocks = blocksOn(*question.shape, problem.device);
  const auto real =
      blocks.empty() ? std::nullopt : realFor(blocks, *question.shape, *question.experiment);
  if (!real) return std::nullopt;
  return PlanFix{QObject::tr("Move %1 to %2")
                     .arg(blocksText(*question.experiment->model, blocks), qstring(real->value)),
                 moved(*question.shape, blocks, *real),
                 {},
                 {}};
}

}  // namespace stagelane::ui
