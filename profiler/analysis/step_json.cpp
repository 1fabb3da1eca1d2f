#include "profiler/analysis/step_json.h"

#include <algorithm>
#include <limits>

namespace stagelane::analysis::detail {
namespace {

constexpr std::size_t kBins = 100;
/// Limits the document, because a path may have millions of kernels.
constexpr std::size_t kMostPieces = 20'000;

std::string nameOf(const trace::Trace& trace, std::int32_t device) {
  const bool known = device >= 0 && static_cast<std::size_t>(device) < trace.devices().size();
  return known ? trace.devices()[static_cast<std::size_t>(device)] : "unknown";
}

template <class Map>
void addAll(Map& into, const Map& from) {
  for (const auto& [key, timeNs] : from) into[key] = plus(into[key], timeNs);
}

Json pathPieceJson(const trace::Trace& trace, const PathPiece& piece, TimeNs originNs) {
  Json json = {{"start_ns", piece.startNs - originNs},
               {"end_ns", piece.endNs - originNs},
               {"device", nameOf(trace, piece.device)},
               {"cause", word(piece.cause)}};
  if (piece.event < 0) return json;
  const trace::EventView view = trace.event(static_cast<std::size_t>(piece.event));
  json["name"] = view.name;
  if (view.stage.valid()) json["stage"] = view.stage.value;
  if (view.microBatch.valid()) json["micro_batch"] = view.microBatch.value;
  return json;
}

}  // namespace

TimeNs plus(TimeNs left, TimeNs right) {
  TimeNs sum = 0;
  const bool over = __builtin_add_overflow(left, right, &sum);
  return over ? std::numeric_limits<TimeNs>::max() : sum;
}

void PathShares::add(const trace::Trace& trace, const std::vector<PathPiece>& path) {
  for (const PathPiece& piece : path) {
    const TimeNs lengthNs = piece.endNs - piece.startNs;
    wallNs += lengthNs;
    devices[nameOf(trace, piece.device)] += lengthNs;
    causes[std::string(word(piece.cause))] += lengthNs;
    if (isBusy(piece.cause)) {
      stages[trace.stages()[static_cast<std::size_t>(piece.event)]] += lengthNs;
    }
  }
}

void PathShares::add(const PathShares& other) {
  wallNs = plus(wallNs, other.wallNs);
  addAll(devices, other.devices);
  addAll(causes, other.causes);
  addAll(stages, other.stages);
}

Json PathShares::json() const {
  Json json = {{"wall_ns", wallNs},
               {"devices", Json::object()},
               {"causes", Json::object()},
               {"stages", Json::object()}};
  for (const auto& [name, timeNs] : devices) json["devices"][name] = timeNs;
  for (const auto& [cause, timeNs] : causes) json["causes"][cause] = timeNs;
  for (const auto& [stage, timeNs] : stages) {
    json["stages"][stage < 0 ? "none" : std::to_string(stage)] = timeNs;
  }
  return json;
}

Json transfersJson(const TransferOverlap& overlap) {
  Json json = {{"total_ns", overlap.totalNs()},
               {"exposed_ns", overlap.exposedNs},
               {"hidden_ns", overlap.hiddenNs},
               {"hidden_pct", nullptr}};
  if (overlap.totalNs() > 0) {
    json["hidden_pct"] =
        100.0 * static_cast<double>(overlap.hiddenNs) / static_cast<double>(overlap.totalNs());
  }
  return json;
}

Json launchesJson(const Launches& launches) {
  return {{"count", launches.count},
          {"delay_ns",
           {{"total", launches.totalDelayNs},
            {"median", launches.medianDelayNs},
            {"max", launches.mostDelayNs}}},
          {"queued_ns", launches.queuedNs},
          {"longest_queue", launches.longestQueue}};
}

Json stragglerJson(const trace::Trace& trace, const Straggler& straggler) {
  if (straggler.device < 0) return nullptr;
  return {{"device", nameOf(trace, straggler.device)}, {"waited_ns", straggler.waitedNs}};
}

Json layersJson(const trace::Trace& trace, const std::optional<LayerTimes>& times) {
  if (!times) return nullptr;
  Json rows = Json::array();
  TimeNs outsideNs = times->busyNs;
  TimeNs criticalOutsideNs = times->criticalBusyNs;
  for (const LayerTime& layer : times->rows) {
    outsideNs -= layer.totalNs();
    criticalOutsideNs -= layer.criticalNs;
    const double share = times->busyNs > 0 ? 100.0 * static_cast<double>(layer.totalNs()) /
                                                 static_cast<double>(times->busyNs)
                                           : 0.0;
    rows.push_back({{"name", layer.name},
                    {"device", nameOf(trace, layer.device)},
                    {"events", layer.events},
                    {"forward_ns", layer.forwardNs},
                    {"backward_ns", layer.backwardNs},
                    {"share_pct", share},
                    {"critical_ns", layer.criticalNs}});
  }
  return {{"repeat", times->step.repeat},
          {"step", times->step.step},
          {"extra", times->step.extra},
          {"busy_ns", times->busyNs},
          {"critical_busy_ns", times->criticalBusyNs},
          {"rows", std::move(rows)},
          {"outside", {{"ns", outsideNs}, {"critical_ns", criticalOutsideNs}}}};
}

Json stepDetailJson(const trace::Trace& trace, const Analyzer& analyzer,
                    const StepBreakdown& breakdown) {
  const trace::Step& step = breakdown.step;
  Json json = {{"repeat", step.repeat},
               {"step", step.step},
               {"start_ns", step.startNs},
               {"wall_ns", breakdown.wallNs()},
               {"bin_ns", binNs(breakdown, kBins)},
               {"busy_ns_in_bins", Json::object()},
               {"critical_path", Json::array()}};
  for (std::size_t device = 0; device < breakdown.devices.size(); ++device) {
    json["busy_ns_in_bins"][trace.devices()[device]] = busyInBins(breakdown, device, kBins);
  }
  const std::vector<PathPiece> path = analyzer.criticalPath(breakdown);
  json["critical_path_pieces"] = path.size();
  for (std::size_t piece = 0; piece < std::min(kMostPieces, path.size()); ++piece) {
    json["critical_path"].push_back(pathPieceJson(trace, path[piece], step.startNs));
  }
  return json;
}

}  // namespace stagelane::analysis::detail
