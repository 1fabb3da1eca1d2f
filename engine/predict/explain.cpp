#include "engine/predict/explain.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <functional>
#include <numeric>
#include <optional>

#include "engine/base/text.h"
#include "engine/predict/simulator.h"

namespace stagelane::predict {
namespace {

void forEach(PlanCosts& costs, const std::function<void(std::size_t stage, StageCost&)>& change) {
  for (std::size_t stage = 0; stage < costs.stage.size(); ++stage) {
    for (StageCost& cost : costs.stage[stage]) change(stage, cost);
  }
}

/// Work only: no transfers, host time, contention or recomputation.
PlanCosts bare(PlanCosts costs) {
  costs.actionOverheadNs = 0;
  costs.contention.clear();
  costs.transfersBlock = false;
  forEach(costs, [](std::size_t stage, StageCost& cost) {
    cost.sendForward = cost.sendBackward = cost.reduce = 0;
    cost.backward -= cost.recompute;
    (stage == 0 ? cost.backwardWeight : cost.backwardInput) -= cost.recompute;
  });
  return costs;
}

void takeRecompute(PlanCosts& costs, const PlanCosts& from) {
  for (std::size_t stage = 0; stage < costs.stage.size(); ++stage) {
    for (std::size_t k = 0; k < costs.stage[stage].size(); ++k) {
      StageCost& cost = costs.stage[stage][k];
      const StageCost& full = from.stage[stage][k];
      cost.backward = full.backward;
      cost.backwardInput = full.backwardInput;
      cost.backwardWeight = full.backwardWeight;
    }
  }
}

void takeTransfers(PlanCosts& costs, const PlanCosts& from) {
  costs.transfersBlock = from.transfersBlock;
  for (std::size_t stage = 0; stage < costs.stage.size(); ++stage) {
    for (std::size_t k = 0; k < costs.stage[stage].size(); ++k) {
      costs.stage[stage][k].sendForward = from.stage[stage][k].sendForward;
      costs.stage[stage][k].sendBackward = from.stage[stage][k].sendBackward;
      costs.stage[stage][k].reduce = from.stage[stage][k].reduce;
    }
  }
}

/// First start and last end of the compute actions of a row.
std::pair<TimeNs, TimeNs> windowOf(const std::vector<schedule::LoweredAction>& actions,
                                   const std::vector<Played>& played) {
  std::pair<TimeNs, TimeNs> window{0, 0};
  bool first = true;
  for (std::size_t i = 0; i < actions.size(); ++i) {
    if (!isCompute(actions[i].kind)) continue;
    if (first) window.first = played[i].start;
    first = false;
    window.second = std::max(window.second, played[i].end);
  }
  return window;
}

/// Adds parts in sequence; each is an increase of the step.
class Builder {
 public:
  explicit Builder(const schedule::LoweredSchedule& lowered) : m_lowered(lowered) {}

  /// From the perfect cut to the schedule with work only.
  Status addWork(const PlanCosts& costs);
  Status addStep(Loss loss, const PlanCosts& costs);
  void addRest(Loss loss, TimeNs stepNs) {
    m_answer.parts.push_back({loss, stepNs - m_answer.stepNs});
    m_answer.stepNs = stepNs;
  }
  Explanation& answer() { return m_answer; }

 private:
  const schedule::LoweredSchedule& m_lowered;
  StepSimulator m_simulator;
  Explanation m_answer;
};

Status Builder::addWork(const PlanCosts& costs) {
  STAGELANE_TRY(simulation, simulate(m_lowered, costs));
  const std::vector<TimeNs>& busy = simulation->busyNs;
  const auto busiest = std::max_element(busy.begin(), busy.end());
  const auto row = static_cast<std::size_t>(busiest - busy.begin());
  const TimeNs work = std::accumulate(busy.begin(), busy.end(), TimeNs{0});
  m_answer.idealNs = work / static_cast<TimeNs>(busy.size());
  const auto [start, end] = windowOf(m_lowered.actions[row], simulation->actions[row]);
  m_answer.parts = {{Loss::Imbalance, *busiest - m_answer.idealNs},
                    {Loss::Warmup, start},
                    {Loss::Waiting, end - start - *busiest},
                    {Loss::Drain, simulation->stepNs - end}};
  m_answer.stepNs = simulation->stepNs;
  return {};
}

Status Builder::addStep(Loss loss, const PlanCosts& costs) {
  STAGELANE_TRY(figures, m_simulator.play(m_lowered, costs));
  addRest(loss, (*figures)->stepNs);
  return {};
}

TimeNs allWork(const schedule::LoweredSchedule& lowered, const PlanCosts& costs) {
  StepSimulator simulator;
  const auto figures = simulator.play(lowered, costs);
  if (!figures) return 0;
  return std::accumulate((*figures)->busyNs.begin(), (*figures)->busyNs.end(), TimeNs{0});
}

std::optional<Loss> lossOf(std::string_view cause, bool measured) {
  for (const Loss loss : {Loss::Imbalance, Loss::Warmup, Loss::Waiting, Loss::Drain,
                          Loss::Recompute, Loss::Transfers, Loss::Host}) {
    if (word(loss) == cause) return loss;
  }
  if (cause != word(Loss::Contention)) return std::nullopt;
  return measured ? Loss::Contention : Loss::Slowdown;
}

std::string line(TimeNs ns, TimeNs stepNs, std::string_view text) {
  const double share =
      stepNs > 0 ? 100.0 * static_cast<double>(ns) / static_cast<double>(stepNs) : 0.0;
  std::array<char, 64> head{};
  std::snprintf(head.data(), head.size(), "  %10s  %5.1f %%  ",
                humanTime(static_cast<double>(ns)).c_str(), share);
  return head.data() + std::string(text) + "\n";
}

}  // namespace

std::string_view word(Loss loss) {
  switch (loss) {
    case Loss::Imbalance: return "imbalance";
    case Loss::Warmup: return "warmup";
    case Loss::Waiting: return "waiting";
    case Loss::Drain: return "drain";
    case Loss::Recompute: return "recompute";
    case Loss::Transfers: return "transfers";
    case Loss::Host: return "host";
    case Loss::Slowdown:
    case Loss::Contention: break;
  }
  return "contention";
}

std::string_view sentence(Loss loss) {
  switch (loss) {
    case Loss::Imbalance: return "imbalance: the busiest device has more than its share";
    case Loss::Warmup: return "warm-up: the busiest device waits for its first action";
    case Loss::Waiting: return "waiting: the busiest device waits between its actions";
    case Loss::Drain: return "drain: other devices work after its last action";
    case Loss::Recompute: return "recompute: forwards that run again";
    case Loss::Transfers: return "transfers and reductions";
    case Loss::Host: return "host: time between actions";
    case Loss::Slowdown: return "contention: workers slow each other down";
    case Loss::Contention: break;
  }
  return "contention: actions took longer than alone";
}

Result<Explanation> explain(const schedule::LoweredSchedule& lowered, const PlanCosts& costs) {
  Builder builder(lowered);
  PlanCosts so = bare(costs);
  Status status = builder.addWork(so);
  takeRecompute(so, costs);
  if (status) status = builder.addStep(Loss::Recompute, so);
  takeTransfers(so, costs);
  if (status) status = builder.addStep(Loss::Transfers, so);
  so.actionOverheadNs = costs.actionOverheadNs;
  if (status) status = builder.addStep(Loss::Host, so);
  if (status) status = builder.addStep(Loss::Slowdown, costs);
  STAGELANE_CHECK(status);
  return std::move(builder.answer());
}

Result<Explanation> explainMeasured(const schedule::LoweredSchedule& lowered,
                                    const PlanCosts& measured, TimeNs stepNs,
                                    const PlanCosts& expected) {
  PlanCosts real = measured;
  // A measured backward includes the recomputed forward; assume the first forward's time for it.
  for (std::size_t stage = 0; stage < real.stage.size(); ++stage) {
    for (std::size_t k = 0; k < real.stage[stage].size(); ++k) {
      StageCost& cost = real.stage[stage][k];
      const bool again = stage < expected.stage.size() && k < expected.stage[stage].size() &&
                         expected.stage[stage][k].recompute > 0;
      const TimeNs half = stage == 0 ? cost.backwardWeight : cost.backwardInput;
      cost.recompute = again ? std::min(cost.forward, std::max(cost.backward, half)) : 0;
    }
  }
  Builder builder(lowered);
  PlanCosts so = bare(real);
  Status status = builder.addWork(so);
  takeRecompute(so, real);
  if (status) status = builder.addStep(Loss::Recompute, so);
  takeTransfers(so, real);
  if (status) status = builder.addStep(Loss::Transfers, so);
  STAGELANE_CHECK(status);
  builder.addRest(Loss::Host, stepNs);
  Explanation& answer = builder.answer();
  answer.measured = true;
  if (expected.basis != Basis::Estimate) {
    const auto devices = static_cast<TimeNs>(lowered.actions.size());
    const TimeNs alone = allWork(lowered, bare(expected)) / std::max<TimeNs>(1, devices);
    answer.parts.insert(answer.parts.begin(), {Loss::Contention, answer.idealNs - alone});
    answer.idealNs = alone;
  }
  return std::move(answer);
}

Json toJson(const Explanation& explanation) {
  Json parts = Json::array();
  for (const LossPart& part : explanation.parts) {
    parts.push_back({{"cause", word(part.loss)}, {"ns", part.ns}});
  }
  return {{"basis", explanation.measured ? "measured" : "predicted"},
          {"ideal_ns", explanation.idealNs},
          {"parts", std::move(parts)},
          {"step_ns", explanation.stepNs}};
}

Result<Explanation> explanationFromJson(const Json& json) {
  const auto broken = [](const std::string& what) {
    return fail(ErrorCode::Invalid, "the explanation " + what, "/explanation");
  };
  try {
    Explanation explanation;
    explanation.measured = json.at("basis").get<std::string>() == "measured";
    explanation.idealNs = json.at("ideal_ns").get<TimeNs>();
    explanation.stepNs = json.at("step_ns").get<TimeNs>();
    TimeNs sum = explanation.idealNs;
    for (const Json& part : json.at("parts")) {
      const auto cause = part.at("cause").get<std::string>();
      const auto loss = lossOf(cause, explanation.measured);
      if (!loss) return broken("has the unknown cause \"" + cause + "\"");
      explanation.parts.push_back({*loss, part.at("ns").get<TimeNs>()});
      sum += explanation.parts.back().ns;
    }
    if (sum != explanation.stepNs) return broken("does not add up to its step");
    return explanation;
  } catch (const Json::exception& problem) {
    return broken(std::string("cannot be read: ") + problem.what());
  }
}

std::string toText(const Explanation& explanation) {
  std::string text =
      line(explanation.idealNs, explanation.stepNs, "ideal: all work, evenly on all devices");
  for (const LossPart& part : explanation.parts) {
    if (part.ns != 0) text += line(part.ns, explanation.stepNs, sentence(part.loss));
  }
  return text + line(explanation.stepNs, explanation.stepNs,
                     explanation.measured ? "measured step" : "predicted step");
}

}  // namespace stagelane::predict
