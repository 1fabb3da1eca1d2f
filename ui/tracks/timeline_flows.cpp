#include "ui/tracks/timeline_flows.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace stagelane::ui {
namespace {

using trace::Category;

/// Graph launches can lead to thousands of kernels: a bundle of arrows adds no information.
constexpr std::size_t kMostTracedFlows = 200;

/// The actions of a step by what they do.
class StepActions {
 public:
  explicit StepActions(const TimelineData& data) {
    const trace::Trace& trace = data.trace();
    const TimeNs from = data.startNs(), to = from + data.wallNs();
    for (std::size_t track = 0; track < trace.tracks().size(); ++track) {
      const auto [first, last] = trace.rangeOfTrack(track);
      const auto starts = trace.startsNs();
      const auto begin = std::lower_bound(starts.begin() + static_cast<std::ptrdiff_t>(first),
                                          starts.begin() + static_cast<std::ptrdiff_t>(last), from);
      for (auto i = static_cast<std::size_t>(begin - starts.begin()); i < last; ++i) {
        if (starts[i] > to) break;
        if (!trace::actionKindOf(trace.categories()[i])) continue;
        m_events.try_emplace({trace.categories()[i], trace.stages()[i], trace.microBatches()[i]},
                             i);
      }
    }
  }

  /// The first existing action among the categories; nothing for none.
  [[nodiscard]] std::optional<std::size_t> find(std::initializer_list<Category> categories,
                                                std::int32_t stage, std::int32_t microBatch) const {
    for (const Category category : categories) {
      const auto found = m_events.find({category, stage, microBatch});
      if (found != m_events.end()) return found->second;
    }
    return std::nullopt;
  }

 private:
  std::map<std::tuple<Category, std::int32_t, std::int32_t>, std::size_t> m_events;
};

class Chains {
 public:
  Chains(const TimelineData& data, std::int32_t microBatch)
      : m_data(data), m_actions(data), m_microBatch(microBatch) {}

  /// The activation from `stage` to the next one.
  void forward(std::int32_t stage) {
    add({m_actions.find({Category::Forward}, stage, m_microBatch),
         m_actions.find({Category::SendForward}, stage, m_microBatch),
         m_actions.find({Category::RecvForward}, stage + 1, m_microBatch),
         m_actions.find({Category::Forward}, stage + 1, m_microBatch)});
  }
  /// The gradient from `stage` to the previous one.
  void backward(std::int32_t stage) {
    add({m_actions.find({Category::Backward, Category::BackwardInput}, stage, m_microBatch),
         m_actions.find({Category::SendBackward}, stage, m_microBatch),
         m_actions.find({Category::RecvBackward}, stage - 1, m_microBatch),
         m_actions.find({Category::Backward, Category::BackwardInput, Category::BackwardWeight},
                        stage - 1, m_microBatch)});
  }
  [[nodiscard]] EventFlows take() { return std::move(m_flows); }

 private:
  void add(const std::vector<std::optional<std::size_t>>& chain) {
    std::vector<std::size_t> events;
    for (const auto& event : chain) {
      if (event) events.push_back(*event);
    }
    if (events.size() < 2 ||
        m_data.deviceOfEvent(events.front()) == m_data.deviceOfEvent(events.back())) {
      return;
    }
    for (std::size_t i = 0; i + 1 < events.size(); ++i) {
      m_flows.push_back({events[i], events[i + 1]});
    }
  }

  const TimelineData& m_data;
  StepActions m_actions;
  std::int32_t m_microBatch;
  EventFlows m_flows;
};

/// Arrows in the trace itself: launch → kernel, and flows of other programs.
EventFlows tracedFlows(const trace::Trace& trace, std::size_t event) {
  EventFlows flows;
  for (const trace::Flow& flow : trace.flowsFrom(event)) flows.push_back({flow.from, flow.to});
  for (const std::uint32_t index : trace.flowsInto(event)) {
    flows.push_back({trace.flows()[index].from, trace.flows()[index].to});
  }
  if (flows.size() > kMostTracedFlows) flows.resize(kMostTracedFlows);
  return flows;
}

}  // namespace

EventFlows flowsOf(const TimelineData& data, const TimelineTarget& target) {
  if (target.kind == TimelineTarget::Kind::Gap) {
    const analysis::DeviceStep* step = data.deviceStep(target.device);
    const std::size_t next = target.lastPiece + 1;
    if (step == nullptr || next >= step->pieces.size() || step->pieces[next].event < 0) return {};
    // A gap waited for what its following action waited for.
    const auto event = static_cast<std::size_t>(step->pieces[next].event);
    EventFlows flows = flowsOf(data, {.kind = TimelineTarget::Kind::Event, .event = event});
    const TimeNs end = data.spanOf(target).second + data.startNs();
    flows.erase(std::remove_if(flows.begin(), flows.end(),
                               [&](const EventFlow& flow) {
                                 return data.trace().startsNs()[flow.from] >= end;
                               }),
                flows.end());
    return flows;
  }
  if (target.kind != TimelineTarget::Kind::Event) return {};
  const trace::EventView event = data.trace().event(target.event);
  const std::int32_t stage = event.stage.value;
  if (!trace::actionKindOf(event.category) || !event.stage.valid() || !event.microBatch.valid()) {
    return tracedFlows(data.trace(), target.event);
  }
  Chains chains(data, event.microBatch.value);
  switch (event.category) {
    case Category::Forward:
      chains.forward(stage - 1);
      chains.forward(stage);
      break;
    case Category::SendForward: chains.forward(stage); break;
    case Category::RecvForward: chains.forward(stage - 1); break;
    case Category::Backward:
    case Category::BackwardInput:
      chains.backward(stage + 1);
      chains.backward(stage);
      break;
    case Category::SendBackward: chains.backward(stage); break;
    case Category::RecvBackward: chains.backward(stage + 1); break;
    default: break;
  }
  EventFlows flows = chains.take();
  return flows.empty() ? tracedFlows(data.trace(), target.event) : flows;
}

}  // namespace stagelane::ui
