#include <algorithm>
#include <limits>
#include <map>

#include "profiler/analysis/idle.h"

namespace stagelane::analysis {
namespace {

/// A sum that stays at the end of 64 bits instead of running over, whatever a file claims.
TimeNs plus(TimeNs left, TimeNs right) {
  TimeNs sum = 0;
  const bool over = __builtin_add_overflow(left, right, &sum);
  return over ? std::numeric_limits<TimeNs>::max() : sum;
}

/// The figures of a device over steps, or of all devices.
struct Figures {
  TimeNs wallNs = 0;
  TimeNs busyNs = 0;
  TimeNs idleNs = 0;
  std::array<TimeNs, kCauseCount> causeNs{};
  std::map<std::string, TimeNs> starvedBy;

  void add(const Figures& other) {
    wallNs = plus(wallNs, other.wallNs);
    busyNs = plus(busyNs, other.busyNs);
    idleNs = plus(idleNs, other.idleNs);
    for (std::size_t index = 0; index < kCauseCount; ++index) {
      causeNs[index] = plus(causeNs[index], other.causeNs[index]);
    }
    for (const auto& [name, timeNs] : other.starvedBy) {
      starvedBy[name] = plus(starvedBy[name], timeNs);
    }
  }
  [[nodiscard]] TimeNs of(Cause cause) const { return causeNs[static_cast<std::size_t>(cause)]; }
};

std::string nameOf(const trace::Trace& trace, std::int32_t device) {
  const bool known = device >= 0 && static_cast<std::size_t>(device) < trace.devices().size();
  return known ? trace.devices()[static_cast<std::size_t>(device)] : "unknown";
}

Figures figuresOf(const trace::Trace& trace, const DeviceStep& device, TimeNs wallNs) {
  Figures figures;
  figures.wallNs = wallNs;
  figures.busyNs = device.busyNs();
  figures.idleNs = device.idleNs();
  figures.causeNs = device.causeNs;
  for (const auto& [blamed, timeNs] : device.starvedBy) {
    figures.starvedBy[nameOf(trace, blamed)] = timeNs;
  }
  return figures;
}

void putFigures(Json& object, const Figures& figures) {
  object["busy_ns"] = figures.busyNs;
  object["idle_ns"] = figures.idleNs;
  object["utilisation_pct"] =
      figures.wallNs > 0
          ? Json(100.0 * static_cast<double>(figures.busyNs) / static_cast<double>(figures.wallNs))
          : Json(nullptr);
  for (const Cause cause : {Cause::Warmup, Cause::Drain, Cause::TransferWait, Cause::Starved,
                            Cause::Host, Cause::Tail, Cause::Unattributed}) {
    object[std::string(word(cause)) + "_ns"] = figures.of(cause);
  }
}

Json starvedJson(const Figures& figures) {
  Json object = Json::object();
  for (const auto& [name, timeNs] : figures.starvedBy) {
    object[name] = timeNs;
  }
  return object;
}

Json stepJson(const trace::Step& step, const Figures& figures) {
  Json causes = Json::object();
  for (std::size_t index = 0; index < kCauseCount; ++index) {
    const auto cause = static_cast<Cause>(index);
    if (cause != Cause::Compute || figures.causeNs[index] != 0) {
      causes[std::string(word(cause))] = figures.causeNs[index];
    }
  }
  return {{"repeat", step.repeat},       {"step", step.step},
          {"extra", step.extra},         {"wall_ns", figures.wallNs},
          {"causes", std::move(causes)}, {"starved_by", starvedJson(figures)}};
}

/// The timed steps; the extra ones when there are no others.
std::vector<trace::Step> analysedSteps(const trace::Trace& trace) {
  std::vector<trace::Step> all = stepsOf(trace);
  std::vector<trace::Step> timed;
  std::copy_if(all.begin(), all.end(), std::back_inserter(timed),
               [](const trace::Step& step) { return !step.extra; });
  return timed.empty() ? all : timed;
}

}  // namespace

Json analyzeJson(const trace::Trace& trace) {
  std::vector<Figures> sums(trace.devices().size());
  std::vector<Json> stepLists(trace.devices().size(), Json::array());
  TimeNs wallNs = 0;
  for (const trace::Step& step : analysedSteps(trace)) {
    const StepBreakdown breakdown = breakDown(trace, step);
    wallNs = plus(wallNs, breakdown.wallNs());
    for (std::size_t index = 0; index < breakdown.devices.size(); ++index) {
      const Figures figures = figuresOf(trace, breakdown.devices[index], breakdown.wallNs());
      stepLists[index].push_back(stepJson(step, figures));
      sums[index].add(figures);
    }
  }
  Json answer = {{"wall_ns", wallNs}, {"devices", Json::array()}};
  Figures total;
  for (std::size_t index = 0; index < sums.size(); ++index) {
    Json device = {{"name", trace.devices()[index]}};
    putFigures(device, sums[index]);
    device["starved_by"] = starvedJson(sums[index]);
    device["steps"] = std::move(stepLists[index]);
    answer["devices"].push_back(std::move(device));
    total.add(sums[index]);
  }
  answer["total"] = Json::object();
  putFigures(answer["total"], total);
  return answer;
}

}  // namespace stagelane::analysis
