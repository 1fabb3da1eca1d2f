#include "profiler/analysis/compare.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <tuple>

#include "engine/base/text.h"
#include "profiler/analysis/analyzer.h"

namespace stagelane::analysis {
namespace {

using trace::Category;

/// Identity of an action. `device` and `name` are set only if the rest is not enough.
using Key = std::tuple<Category, std::int32_t, std::int32_t, std::string, std::string>;
using Occurrences = std::map<Key, std::vector<std::uint32_t>>;

enum class Matching { Actions, Kernels, Operators };

bool takes(Matching matching, Category category) {
  switch (matching) {
    case Matching::Actions: return trace::actionKindOf(category).has_value();
    case Matching::Kernels: return category == Category::Kernel || category == Category::Copy;
    case Matching::Operators: return category == Category::Operator;
  }
  return false;
}

/// Calls `visit(event)` for each event of a device that starts in the step.
template <class Visit>
void forEachEvent(const trace::Trace& trace, const trace::Step& step, Visit visit) {
  const auto starts = trace.startsNs();
  for (std::size_t track = 0; track < trace.tracks().size(); ++track) {
    if (trace.tracks()[track].device < 0) continue;
    const auto [first, last] = trace.rangeOfTrack(track);
    const auto begin =
        std::lower_bound(starts.begin() + static_cast<std::ptrdiff_t>(first),
                         starts.begin() + static_cast<std::ptrdiff_t>(last), step.startNs);
    for (auto event = static_cast<std::size_t>(begin - starts.begin());
         event < last && starts[event] < step.endNs; ++event) {
      visit(static_cast<std::uint32_t>(event));
    }
  }
}

bool has(const trace::Trace& trace, const trace::Step& step, Matching matching) {
  bool found = false;
  forEachEvent(trace, step, [&](std::uint32_t event) {
    found = found || takes(matching, trace.categories()[event]);
  });
  return found;
}

std::int32_t deviceOf(const trace::Trace& trace, std::uint32_t event) {
  return trace.tracks()[trace.event(event).track].device;
}

const std::string& deviceName(const trace::Trace& trace, std::uint32_t event) {
  return trace.devices()[static_cast<std::size_t>(deviceOf(trace, event))];
}

Key keyOf(const trace::Trace& trace, std::uint32_t event, Matching matching) {
  const trace::EventView view = trace.event(event);
  const bool byStage = matching == Matching::Actions && view.stage.valid();
  return {view.category, view.stage.value, view.microBatch.value,
          byStage ? std::string() : deviceName(trace, event),
          matching == Matching::Actions ? std::string() : std::string(view.name)};
}

/// The events of each key by start.
Occurrences occurrencesOf(const trace::Trace& trace, const trace::Step& step, Matching matching) {
  Occurrences occurrences;
  forEachEvent(trace, step, [&](std::uint32_t event) {
    if (takes(matching, trace.categories()[event])) {
      occurrences[keyOf(trace, event, matching)].push_back(event);
    }
  });
  for (auto& [key, events] : occurrences) {
    std::sort(events.begin(), events.end(), [&trace](std::uint32_t left, std::uint32_t right) {
      return std::tuple(trace.startsNs()[left], left) < std::tuple(trace.startsNs()[right], right);
    });
  }
  return occurrences;
}

Matching matchingOf(const trace::Trace& left, const trace::Step& leftStep,
                    const trace::Trace& right, const trace::Step& rightStep) {
  for (const Matching matching : {Matching::Actions, Matching::Kernels}) {
    if (has(left, leftStep, matching) || has(right, rightStep, matching)) return matching;
  }
  return Matching::Operators;
}

std::string groupName(const ActionDelta& action) {
  if (!trace::actionKindOf(action.category)) return action.name;
  const std::string kind(word(action.category));
  return action.stage.valid() ? kind + " of stage " + std::to_string(action.stage.value) : kind;
}

std::vector<GroupDelta> groupsOf(const std::vector<ActionDelta>& actions) {
  std::map<std::tuple<Category, std::int32_t, std::string>, GroupDelta> groups;
  for (const ActionDelta& action : actions) {
    const std::string name = groupName(action);
    GroupDelta& group = groups[{action.category, action.stage.value, name}];
    group.name = name;
    group.category = action.category;
    group.stage = action.stage;
    ++group.count;
    group.leftNs += action.leftNs;
    group.rightNs += action.rightNs;
  }
  std::vector<GroupDelta> sorted;
  for (auto& [key, group] : groups) sorted.push_back(std::move(group));
  std::stable_sort(sorted.begin(), sorted.end(), [](const GroupDelta& one, const GroupDelta& two) {
    return std::abs(one.deltaNs()) > std::abs(two.deltaNs());
  });
  return sorted;
}

/// Whether a category moves data; its durations include waiting.
bool moves(Category category) {
  const std::optional<ActionKind> kind = trace::actionKindOf(category);
  return (kind && !isCompute(*kind)) || category == Category::Copy;
}

/// Matches the events of two steps.
class Matcher {
 public:
  Matcher(const trace::Trace& left, const trace::Trace& right, StepComparison& out)
      : m_left(left), m_right(right), m_out(out) {}

  void match(const Occurrences& left, const Occurrences& right) {
    for (const auto& [key, events] : left) {
      const auto found = right.find(key);
      const std::size_t partners = found == right.end() ? 0 : found->second.size();
      for (std::size_t place = 0; place < std::min(partners, events.size()); ++place) {
        add(events[place], found->second[place], static_cast<std::uint32_t>(place));
      }
      m_out.onlyLeft += countRest(m_left, events, partners, m_out.onlyLeftNs);
    }
    for (const auto& [key, events] : right) {
      const auto found = left.find(key);
      const std::size_t partners = found == left.end() ? 0 : found->second.size();
      m_out.onlyRight += countRest(m_right, events, partners, m_out.onlyRightNs);
    }
    std::sort(m_out.actions.begin(), m_out.actions.end(),
              [](const ActionDelta& one, const ActionDelta& two) {
                return std::tie(one.leftStartNs, one.leftEvent) <
                       std::tie(two.leftStartNs, two.leftEvent);
              });
  }

 private:
  /// Number of events without a partner; adds the time of their compute.
  static std::size_t countRest(const trace::Trace& trace, const std::vector<std::uint32_t>& events,
                               std::size_t partners, TimeNs& computeNs) {
    std::size_t count = 0;
    for (std::size_t place = partners; place < events.size(); ++place, ++count) {
      computeNs +=
          moves(trace.categories()[events[place]]) ? 0 : trace.durationsNs()[events[place]];
    }
    return count;
  }

  void add(std::uint32_t left, std::uint32_t right, std::uint32_t occurrence) {
    const trace::EventView view = m_left.event(left);
    const trace::EventView other = m_right.event(right);
    ActionDelta action;
    action.name = view.name;
    action.category = view.category;
    action.stage = view.stage;
    action.microBatch = view.microBatch;
    action.occurrence = occurrence;
    action.leftEvent = left;
    action.leftDevice = deviceOf(m_left, left);
    action.rightDevice = deviceOf(m_right, right);
    action.leftNs = view.durationNs;
    action.rightNs = other.durationNs;
    action.leftStartNs = view.startNs - m_out.left.startNs;
    action.rightStartNs = other.startNs - m_out.right.startNs;
    m_out.moved += deviceName(m_left, left) != deviceName(m_right, right) ? 1 : 0;
    m_out.actions.push_back(std::move(action));
  }

  const trace::Trace& m_left;
  const trace::Trace& m_right;
  StepComparison& m_out;
};

/// Excludes hosts, which only launch.
void addDevices(const trace::Trace& trace, const trace::Step& step,
                std::optional<CauseTimes> DeviceDelta::*side, std::vector<DeviceDelta>& out) {
  const Analyzer analyzer(trace);
  const StepBreakdown breakdown = analyzer.breakDown(step);
  for (const DeviceStep& device : breakdown.devices) {
    if (analyzer.isHost(static_cast<std::size_t>(device.device))) continue;
    const std::string& name = trace.devices()[static_cast<std::size_t>(device.device)];
    auto found = std::find_if(out.begin(), out.end(),
                              [&name](const DeviceDelta& delta) { return delta.name == name; });
    if (found == out.end()) {
      out.push_back({name, {}, {}});
      found = out.end() - 1;
    }
    (*found).*side = device.causeNs;
  }
}

std::string timeText(TimeNs timeNs) { return humanTime(static_cast<double>(std::abs(timeNs))); }

std::string percentText(double percent) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.1f", std::abs(percent));
  return text.data();
}

/// The idle cause of a device that changed most in the direction of `sign`.
struct IdleChange {
  std::string device;
  Cause cause = Cause::Host;
  TimeNs deltaNs = 0;
};

std::optional<IdleChange> largestIdleChange(const StepComparison& comparison, TimeNs sign) {
  std::optional<IdleChange> largest;
  for (const DeviceDelta& device : comparison.devices) {
    if (!device.left || !device.right) continue;
    for (std::size_t index = 0; index < kCauseCount; ++index) {
      const auto cause = static_cast<Cause>(index);
      const TimeNs deltaNs = device.right->at(index) - device.left->at(index);
      const bool counts = !isBusy(cause) && deltaNs * sign > 0;
      if (counts && (!largest || std::abs(deltaNs) > std::abs(largest->deltaNs))) {
        largest = IdleChange{device.name, cause, deltaNs};
      }
    }
  }
  return largest;
}

std::string groupsSentence(const StepComparison& comparison, TimeNs sign) {
  constexpr std::size_t kMost = 3;
  std::string list;
  std::size_t listed = 0;
  for (const GroupDelta& group : comparison.groups) {
    if (group.deltaNs() * sign > 0 && !moves(group.category) && listed < kMost) {
      list += (listed == 0 ? "" : ", ") + group.name + " by " + timeText(group.deltaNs());
      ++listed;
    }
  }
  return listed == 0 ? "" : (sign > 0 ? " Longer: " : " Shorter: ") + list + ".";
}

Json causesJson(const DeviceDelta& device) {
  Json causes = Json::object();
  for (std::size_t index = 0; index < kCauseCount; ++index) {
    Json entry = Json::object();
    if (device.left) entry["left_ns"] = device.left->at(index);
    if (device.right) entry["right_ns"] = device.right->at(index);
    if (device.left && device.right) {
      entry["delta_ns"] = device.right->at(index) - device.left->at(index);
    }
    causes[std::string(word(static_cast<Cause>(index)))] = std::move(entry);
  }
  return causes;
}

Json sideJson(const trace::Trace& trace, const trace::Step& step) {
  return {{"repeat", step.repeat},
          {"step", step.step},
          {"wall_ns", step.endNs - step.startNs},
          {"predicted", trace.predicted()}};
}

}  // namespace

StepComparison compareSteps(const trace::Trace& left, const trace::Step& leftStep,
                            const trace::Trace& right, const trace::Step& rightStep) {
  StepComparison comparison;
  comparison.left = leftStep;
  comparison.right = rightStep;
  const Matching matching = matchingOf(left, leftStep, right, rightStep);
  Matcher(left, right, comparison)
      .match(occurrencesOf(left, leftStep, matching), occurrencesOf(right, rightStep, matching));
  comparison.groups = groupsOf(comparison.actions);
  addDevices(left, leftStep, &DeviceDelta::left, comparison.devices);
  addDevices(right, rightStep, &DeviceDelta::right, comparison.devices);
  return comparison;
}

Result<trace::Step> stepToCompare(const trace::Trace& trace, std::optional<std::size_t> number) {
  const std::vector<trace::Step> steps = stepsOf(trace);
  if (steps.empty()) {
    return fail(ErrorCode::Invalid, "the trace has no steps: it contains no compute");
  }
  if (!number) return steps[medianStep(steps)];
  std::vector<trace::Step> timed;
  std::copy_if(steps.begin(), steps.end(), std::back_inserter(timed),
               [](const trace::Step& step) { return !step.extra; });
  if (*number >= timed.size()) {
    return fail(ErrorCode::Invalid, "no step " + std::to_string(*number), "--step",
                timed.empty() ? "remove --step"
                              : "write a number from 0 to " + std::to_string(timed.size() - 1));
  }
  return timed[*number];
}

std::string comparisonSentence(const StepComparison& comparison, const SideNames& names) {
  const TimeNs leftNs = comparison.leftWallNs();
  const TimeNs rightNs = comparison.rightWallNs();
  if (leftNs == rightNs) return "Both steps take " + timeText(leftNs) + ".";
  if (comparison.actions.empty()) {
    return names.rightStep + " takes " + timeText(rightNs) + ", the other one " + timeText(leftNs) +
           ". They have no actions in common, so there is no list of changes.";
  }
  const TimeNs sign = rightNs > leftNs ? 1 : -1;
  const double percent =
      leftNs > 0 ? 100.0 * static_cast<double>(rightNs - leftNs) / static_cast<double>(leftNs)
                 : 0.0;
  std::string text = names.rightStep + " is " + percentText(percent) + " % " +
                     (sign > 0 ? "slower" : "faster") + ", " + timeText(rightNs) + " against " +
                     timeText(leftNs) + "." + groupsSentence(comparison, sign);
  const TimeNs extraNs = sign > 0 ? comparison.onlyRightNs : comparison.onlyLeftNs;
  if (extraNs > 0) {
    text += " Only " + (sign > 0 ? names.right : names.left) + " does work of " +
            timeText(extraNs) + " without a counterpart.";
  }
  if (const std::optional<IdleChange> idle = largestIdleChange(comparison, sign)) {
    text += " " + idle->device + " is idle for " + (sign > 0 ? "longer: " : "less: ") +
            timeText(idle->deltaNs) + (sign > 0 ? " more " : " less ") +
            std::string(word(idle->cause)) + ".";
  }
  return text;
}

Json comparisonJson(const StepComparison& comparison, const trace::Trace& left,
                    const trace::Trace& right) {
  Json json = {{"left", sideJson(left, comparison.left)},
               {"right", sideJson(right, comparison.right)},
               {"delta_ns", comparison.rightWallNs() - comparison.leftWallNs()},
               {"summary", comparisonSentence(comparison)},
               {"matched", comparison.actions.size()},
               {"only_left", comparison.onlyLeft},
               {"only_right", comparison.onlyRight},
               {"only_left_ns", comparison.onlyLeftNs},
               {"only_right_ns", comparison.onlyRightNs},
               {"moved", comparison.moved},
               {"devices", Json::array()},
               {"groups", Json::array()},
               {"actions", Json::array()}};
  for (const DeviceDelta& device : comparison.devices) {
    json["devices"].push_back({{"name", device.name}, {"causes", causesJson(device)}});
  }
  for (const GroupDelta& group : comparison.groups) {
    json["groups"].push_back({{"name", group.name},
                              {"category", word(group.category)},
                              {"count", group.count},
                              {"left_ns", group.leftNs},
                              {"right_ns", group.rightNs},
                              {"delta_ns", group.deltaNs()}});
    if (group.stage.valid()) json["groups"].back()["stage"] = group.stage.value;
  }
  for (const ActionDelta& action : comparison.actions) {
    Json entry = {{"name", action.name}, {"category", word(action.category)}};
    if (action.stage.valid()) entry["stage"] = action.stage.value;
    if (action.microBatch.valid()) entry["micro_batch"] = action.microBatch.value;
    entry["left_device"] = left.devices()[static_cast<std::size_t>(action.leftDevice)];
    entry["right_device"] = right.devices()[static_cast<std::size_t>(action.rightDevice)];
    entry["left_start_ns"] = action.leftStartNs;
    entry["right_start_ns"] = action.rightStartNs;
    entry["left_ns"] = action.leftNs;
    entry["right_ns"] = action.rightNs;
    entry["delta_ns"] = action.deltaNs();
    json["actions"].push_back(std::move(entry));
  }
  return json;
}

}  // namespace stagelane::analysis
