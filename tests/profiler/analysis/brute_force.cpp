#include "tests/profiler/analysis/brute_force.h"

#include <algorithm>
#include <optional>
#include <tuple>

namespace stagelane::analysis::test {
namespace {

using trace::Category;

struct Event {
  std::size_t number = 0;
  std::int32_t device = -1;
  Category category = Category::Other;
  std::int32_t stage = -1;
  std::int32_t microBatch = -1;
  std::int32_t peer = -1;
  TimeNs startNs = 0;
  TimeNs endNs = 0;
  TimeNs cutStartNs = 0;
  TimeNs cutEndNs = 0;
  [[nodiscard]] bool instant() const { return startNs == endNs; }
  [[nodiscard]] bool covers(TimeNs timeNs) const {
    return cutStartNs <= timeNs && timeNs < cutEndNs;
  }
};

bool isAction(Category category) {
  return category == Category::Forward || category == Category::Backward ||
         category == Category::BackwardInput || category == Category::BackwardWeight ||
         category == Category::Loss || category == Category::Optimizer;
}

Cause busyCauseOf(Category category) {
  switch (category) {
    case Category::Forward:
    case Category::Loss: return Cause::Forward;
    case Category::Backward: return Cause::Backward;
    case Category::BackwardInput: return Cause::BackwardInput;
    case Category::BackwardWeight: return Cause::BackwardWeight;
    case Category::Optimizer: return Cause::Optimizer;
    default: return Cause::Compute;
  }
}

class World {
 public:
  World(const trace::Trace& trace, const trace::Step& step) : m_step(step) {
    for (std::size_t number = 0; number < trace.size(); ++number) {
      const trace::EventView view = trace.event(number);
      const trace::Transfer* const transfer = trace.transferOf(number);
      Event event{number,
                  trace.tracks()[view.track].device,
                  view.category,
                  view.stage.value,
                  view.microBatch.value,
                  transfer == nullptr ? -1 : transfer->peer,
                  view.startNs,
                  view.endNs(),
                  std::max(view.startNs, step.startNs),
                  std::min(view.endNs(), step.endNs)};
      m_stages.push_back(view.category == Category::Forward ? view.stage.value : -1);
      m_staged.resize(trace.devices().size());
      m_staged[static_cast<std::size_t>(event.device)] =
          m_staged[static_cast<std::size_t>(event.device)] ||
          (isAction(view.category) && view.stage.value >= 0);
      m_all.push_back(event);
      if (event.endNs >= step.startNs && event.startNs <= step.endNs) m_events.push_back(event);
    }
  }

  /// Only host events, while another device of the trace has actions or kernels.
  [[nodiscard]] bool isHost(std::int32_t device) const {
    const auto computes = [](const Event& event) {
      return isAction(event.category) || event.category == Category::Kernel;
    };
    const auto belongs = [&computes](const Event& event) {
      const bool other = event.category == Category::Operator || event.category == Category::Other;
      return computes(event) || (!other && !event.instant());
    };
    const auto own = [device](const Event& event) {
      return event.device == device ||
             (event.category == Category::Copy && event.peer == device && !event.instant());
    };
    return std::any_of(m_all.begin(), m_all.end(), computes) &&
           std::any_of(m_all.begin(), m_all.end(), own) &&
           std::none_of(m_all.begin(), m_all.end(),
                        [&](const Event& event) { return own(event) && belongs(event); });
  }

  [[nodiscard]] std::vector<Event> computeOf(std::int32_t device) const {
    const auto has = [this, device](auto accept) {
      return std::any_of(m_events.begin(), m_events.end(), [device, &accept](const Event& event) {
        return event.device == device && accept(event.category);
      });
    };
    const bool actions = has(isAction);
    const bool kernels = has([](Category category) { return category == Category::Kernel; });
    std::vector<Event> compute;
    for (const Event& event : m_events) {
      const bool counts = actions   ? isAction(event.category)
                          : kernels ? event.category == Category::Kernel
                                    : event.category == Category::Operator;
      const bool cutAway = !event.instant() && event.cutStartNs >= event.cutEndNs;
      if (event.device == device && counts && !cutAway) compute.push_back(event);
    }
    const auto key = [this](const Event& event) {
      const bool beganBefore = event.startNs < m_step.startNs;
      return std::tuple(event.cutStartNs, !beganBefore, !event.instant(), -event.cutEndNs,
                        event.startNs, -event.endNs, event.number);
    };
    std::sort(compute.begin(), compute.end(),
              [&key](const Event& left, const Event& right) { return key(left) < key(right); });
    return compute;
  }

  /// Of the events that `accept` takes: the last to end by `beforeNs`, else the first to end.
  template <class Accept>
  [[nodiscard]] std::optional<Event> choose(TimeNs beforeNs, Accept accept) const {
    std::optional<Event> best;
    for (const Event& event : m_events) {
      if (!accept(event)) continue;
      const auto rank = [beforeNs](const Event& of) {
        const bool inTime = of.endNs <= beforeNs;
        return std::tuple(!inTime, inTime ? -of.endNs : of.endNs, of.number);
      };
      if (!best || rank(event) < rank(*best)) best = event;
    }
    return best;
  }

  /// What a device does at a moment before the start of `action`, which it then runs.
  [[nodiscard]] Moment wait(const Event& action, TimeNs timeNs) const {
    const bool forward = action.category == Category::Forward;
    const bool backward =
        action.category == Category::Backward || action.category == Category::BackwardInput;
    const Moment own = hostOrReduce(action, timeNs);
    if (!forward && !backward) {
      const bool staged = m_staged[static_cast<std::size_t>(action.device)];
      return isAction(action.category) && staged ? own : unknown(action.device, timeNs);
    }
    if (action.stage < 0) return unknown(action.device, timeNs);
    const std::int32_t from = action.stage + (forward ? -1 : 1);
    const auto makes = [&](const Event& event) {
      const bool kind = forward ? event.category == Category::Forward
                                : event.category == Category::Backward ||
                                      event.category == Category::BackwardInput;
      return kind && event.stage == from && event.stage >= 0 &&
             event.microBatch == action.microBatch;
    };
    const std::optional<Event> receive = choose(action.cutStartNs, [&](const Event& event) {
      return event.category == (forward ? Category::RecvForward : Category::RecvBackward) &&
             event.stage == action.stage && event.microBatch == action.microBatch &&
             event.device == action.device;
    });
    if (receive) {
      const std::optional<Event> producer = choose(receive->endNs, [&](const Event& event) {
        return makes(event) &&
               (receive->peer < 0 ? event.device != action.device : event.device == receive->peer);
      });
      const TimeNs producedNs = producer ? producer->endNs : receive->startNs;
      if (timeNs < producedNs) return {Cause::Starved, producer ? producer->device : receive->peer};
      return timeNs < receive->endNs ? Moment{Cause::TransferWait, -1} : own;
    }
    const bool expected =
        forward ? from >= 0 : std::count(m_stages.begin(), m_stages.end(), from) > 0;
    if (choose(action.cutStartNs,
               [&](const Event& event) { return makes(event) && event.device == action.device; })) {
      return own;
    }
    const std::optional<Event> producer = choose(action.cutStartNs, makes);
    if (producer) return timeNs < producer->endNs ? Moment{Cause::Starved, producer->device} : own;
    return expected ? unknown(action.device, timeNs) : own;
  }

 private:
  template <class Accept>
  [[nodiscard]] bool anyCovers(std::int32_t device, TimeNs timeNs, Accept accept) const {
    return std::any_of(m_events.begin(), m_events.end(), [&](const Event& event) {
      return event.device == device && accept(event.category) && event.covers(timeNs);
    });
  }

  [[nodiscard]] Moment hostOrReduce(const Event& action, TimeNs timeNs) const {
    const Event* next = nullptr;
    for (const Event& event : m_events) {
      if (event.device != action.device || event.category != Category::Reduce) continue;
      if (event.covers(timeNs)) return {Cause::TransferWait, -1};
      const auto rank = [](const Event& of) {
        return std::tuple(of.startNs, -of.endNs, of.number);
      };
      const bool follows =
          event.startNs > timeNs && event.startNs < action.cutStartNs && !event.instant();
      if (follows && (next == nullptr || rank(event) < rank(*next))) next = &event;
    }
    const std::int32_t last = next == nullptr ? -1 : next->peer;
    return {last < 0 ? Cause::Host : Cause::Starved, last};
  }

  [[nodiscard]] Moment unknown(std::int32_t device, TimeNs timeNs) const {
    if (std::any_of(m_events.begin(), m_events.end(), [&](const Event& event) {
          return event.category == Category::Copy && event.peer == device && event.covers(timeNs);
        })) {
      return {Cause::TransferWait, -1};
    }
    if (anyCovers(device, timeNs, [](Category category) {
          return category == Category::Copy || category == Category::Reduce ||
                 category == Category::RecvForward || category == Category::RecvBackward;
        })) {
      return {Cause::TransferWait, -1};
    }
    const bool syncs =
        anyCovers(device, timeNs, [](Category category) { return category == Category::Sync; });
    return {syncs ? Cause::Starved : Cause::Unattributed, -1};
  }

  trace::Step m_step;
  std::vector<Event> m_all;
  std::vector<Event> m_events;  ///< that touch the step
  std::vector<std::int32_t> m_stages;
  std::vector<bool> m_staged;
};

}  // namespace

std::vector<Moment> bruteForce(const trace::Trace& trace, const trace::Step& step,
                               std::int32_t device) {
  const World world(trace, step);
  TimeNs lastOfAllNs = step.startNs;
  for (std::int32_t other = 0; other < static_cast<std::int32_t>(trace.devices().size()); ++other) {
    for (const Event& event : world.isHost(other) ? std::vector<Event>{} : world.computeOf(other)) {
      lastOfAllNs = event.instant() ? lastOfAllNs : std::max(lastOfAllNs, event.cutEndNs);
    }
  }
  std::vector<Event> compute = world.computeOf(device);
  while (!compute.empty() && compute.back().instant()) compute.pop_back();
  std::optional<TimeNs> firstNs;
  TimeNs lastNs = step.startNs;
  for (const Event& event : compute) {
    if (!event.instant()) {
      firstNs = std::min(firstNs.value_or(event.cutStartNs), event.cutStartNs);
      lastNs = std::max(lastNs, event.cutEndNs);
    }
  }
  std::vector<Moment> moments;
  for (TimeNs timeNs = step.startNs; timeNs < step.endNs; ++timeNs) {
    const auto owner = std::find_if(compute.begin(), compute.end(),
                                    [timeNs](const Event& event) { return event.covers(timeNs); });
    const auto next = std::find_if(compute.begin(), compute.end(), [timeNs](const Event& event) {
      return event.cutStartNs > timeNs;
    });
    if (owner != compute.end()) {
      moments.push_back({busyCauseOf(owner->category), -1});
    } else if (firstNs && timeNs >= *firstNs && timeNs < lastNs) {
      moments.push_back(world.wait(*next, timeNs));
    } else if (firstNs && timeNs < *firstNs) {
      moments.push_back({Cause::Warmup, -1});
    } else if (timeNs >= lastOfAllNs) {
      moments.push_back({Cause::Tail, -1});
    } else {
      moments.push_back({firstNs && timeNs >= *firstNs ? Cause::Drain : Cause::Warmup, -1});
    }
  }
  return moments;
}

std::vector<Moment> momentsOf(const StepBreakdown& breakdown, std::int32_t device) {
  std::vector<Moment> moments;
  for (const Piece& piece : breakdown.devices.at(static_cast<std::size_t>(device)).pieces) {
    const std::int32_t blamed = piece.cause == Cause::Starved ? piece.blamed : -1;
    moments.insert(moments.end(), static_cast<std::size_t>(piece.endNs - piece.startNs),
                   Moment{piece.cause, blamed});
  }
  return moments;
}

}  // namespace stagelane::analysis::test
