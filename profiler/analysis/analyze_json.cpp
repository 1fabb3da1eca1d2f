#include <algorithm>
#include <map>

#include "profiler/analysis/idle.h"
#include "profiler/analysis/step_json.h"

namespace stagelane::analysis {
namespace {

using detail::plus;

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
  for (const auto& [name, timeNs] : figures.starvedBy) object[name] = timeNs;
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

/// The timed steps, or the extra ones if there are no others.
std::vector<trace::Step> analyzedSteps(const trace::Trace& trace) {
  std::vector<trace::Step> all = stepsOf(trace);
  std::vector<trace::Step> timed;
  std::copy_if(all.begin(), all.end(), std::back_inserter(timed),
               [](const trace::Step& step) { return !step.extra; });
  return timed.empty() ? all : timed;
}

/// All sums of one device over the steps.
struct DeviceSums {
  Figures figures;
  TransferOverlap transfers;
  std::uint64_t launches = 0;
  TimeNs launchDelayNs = 0;
  Json steps = Json::array();
};

/// Visits each step once.
class Summing {
 public:
  explicit Summing(const trace::Trace& trace)
      : m_trace(trace), m_analyzer(trace), m_launches(trace), m_devices(trace.devices().size()) {}

  Json run() {
    const std::vector<trace::Step> steps = analyzedSteps(m_trace);
    const std::size_t median = medianStep(steps);
    for (std::size_t index = 0; index < steps.size(); ++index) {
      const StepBreakdown breakdown = m_analyzer.breakDown(steps[index]);
      addStep(breakdown);
      if (index == median) m_median = detail::stepDetailJson(m_trace, m_analyzer, breakdown);
    }
    return answer();
  }

 private:
  void addStep(const StepBreakdown& breakdown) {
    m_wallNs = plus(m_wallNs, breakdown.wallNs());
    detail::PathShares path;
    path.add(m_trace, m_analyzer.criticalPath(breakdown));
    m_path.add(path);
    const Straggler straggler = stragglerOf(breakdown);
    if (straggler.device >= 0) {
      TimeNs& waitedNs = m_waitedFor[straggler.device];
      waitedNs = plus(waitedNs, straggler.waitedNs);
    }
    const trace::Step& step = breakdown.step;
    m_steps.push_back({{"repeat", step.repeat},
                       {"step", step.step},
                       {"extra", step.extra},
                       {"start_ns", step.startNs},
                       {"wall_ns", breakdown.wallNs()},
                       {"critical_path", path.json()},
                       {"straggler", detail::stragglerJson(m_trace, straggler)}});
    for (std::size_t device = 0; device < breakdown.devices.size(); ++device) {
      if (!m_analyzer.isHost(device)) {
        addDevice(breakdown, device);
        addStages(breakdown.devices[device]);
      }
    }
  }

  void addDevice(const StepBreakdown& breakdown, std::size_t device) {
    const Figures figures = figuresOf(m_trace, breakdown.devices[device], breakdown.wallNs());
    const TransferOverlap overlap = m_analyzer.transferOverlap(breakdown, device);
    const Launches launches = m_launches.of(breakdown.step, device);
    DeviceSums& sums = m_devices[device];
    sums.figures.add(figures);
    sums.transfers.exposedNs = plus(sums.transfers.exposedNs, overlap.exposedNs);
    sums.transfers.hiddenNs = plus(sums.transfers.hiddenNs, overlap.hiddenNs);
    sums.launches += launches.count;
    sums.launchDelayNs = plus(sums.launchDelayNs, launches.totalDelayNs);
    Json step = stepJson(breakdown.step, figures);
    step["transfers"] = detail::transfersJson(overlap);
    if (launches.count > 0) step["launches"] = detail::launchesJson(launches);
    sums.steps.push_back(std::move(step));
  }

  void addStages(const DeviceStep& device) {
    for (const Piece& piece : device.pieces) {
      const bool staged =
          isBusy(piece.cause) && m_trace.stages()[static_cast<std::size_t>(piece.event)] >= 0;
      if (staged) {
        const std::int16_t stage = m_trace.stages()[static_cast<std::size_t>(piece.event)];
        TimeNs& timeNs = m_stages[{stage, device.device}][static_cast<std::size_t>(piece.cause)];
        timeNs = plus(timeNs, piece.endNs - piece.startNs);
      }
    }
  }

  /// Compute time of each stage, and its share of the total.
  [[nodiscard]] Json stagesJson() const {
    TimeNs totalNs = 0;
    const auto sum = [](const std::array<TimeNs, kCauseCount>& causes) {
      TimeNs sumNs = 0;
      for (const TimeNs timeNs : causes) sumNs = plus(sumNs, timeNs);
      return sumNs;
    };
    for (const auto& [key, causes] : m_stages) totalNs = plus(totalNs, sum(causes));
    Json stages = Json::array();
    for (const auto& [key, causes] : m_stages) {
      Json stage = {{"stage", key.first}, {"device", nameOf(m_trace, key.second)}};
      for (const Cause cause : {Cause::Forward, Cause::Backward, Cause::BackwardInput,
                                Cause::BackwardWeight, Cause::Optimizer}) {
        stage[std::string(word(cause)) + "_ns"] = causes[static_cast<std::size_t>(cause)];
      }
      stage["share_pct"] = 100.0 * static_cast<double>(sum(causes)) / static_cast<double>(totalNs);
      stages.push_back(std::move(stage));
    }
    return stages;
  }

  Json deviceJson(std::size_t index) {
    DeviceSums& sums = m_devices[index];
    Json device = {{"name", m_trace.devices()[index]}};
    putFigures(device, sums.figures);
    device["starved_by"] = starvedJson(sums.figures);
    device["transfers"] = detail::transfersJson(sums.transfers);
    if (sums.launches > 0) {
      device["launches"] = {{"count", sums.launches},
                            {"delay_ns", {{"total", sums.launchDelayNs}}}};
    }
    device["steps"] = std::move(sums.steps);
    return device;
  }

  Json answer() {
    Json answer = {{"wall_ns", m_wallNs}, {"devices", Json::array()}};
    Figures total;
    for (std::size_t index = 0; index < m_devices.size(); ++index) {
      if (m_analyzer.isHost(index)) continue;
      total.add(m_devices[index].figures);
      answer["devices"].push_back(deviceJson(index));
    }
    answer["total"] = Json::object();
    putFigures(answer["total"], total);
    Straggler straggler;
    for (const auto& [device, waitedNs] : m_waitedFor) {
      straggler = waitedNs > straggler.waitedNs ? Straggler{device, waitedNs} : straggler;
    }
    answer["stages"] = stagesJson();
    answer["layers"] = detail::layersJson(m_trace, layerTimes(m_trace, m_analyzer));
    answer["critical_path"] = m_path.json();
    answer["straggler"] = detail::stragglerJson(m_trace, straggler);
    answer["steps"] = std::move(m_steps);
    answer["median_step"] = std::move(m_median);
    return answer;
  }

  const trace::Trace& m_trace;
  Analyzer m_analyzer;
  LaunchTable m_launches;
  TimeNs m_wallNs = 0;
  std::vector<DeviceSums> m_devices;
  std::map<std::pair<std::int32_t, std::int32_t>, std::array<TimeNs, kCauseCount>>
      m_stages;  ///< by stage and device
  detail::PathShares m_path;
  std::map<std::int32_t, TimeNs> m_waitedFor;
  Json m_steps = Json::array();
  Json m_median = nullptr;
};

}  // namespace

Json analyzeJson(const trace::Trace& trace) { return Summing(trace).run(); }

}  // namespace stagelane::analysis
