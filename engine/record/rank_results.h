#pragma once

/// Parts of a variant's result that only replicas, ranks and Hogwild have.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/ids.h"
#include "engine/base/json.h"

namespace stagelane::record {

/// How far the clock of a rank is from that of rank 0.
struct ClockResult {
  TimeNs offsetNs = 0;  ///< its clock minus that of rank 0
  TimeNs errorNs = 0;   ///< half of the shortest round trip
  double driftPpm = 0.0;
};

/// A process that took part.
struct RankResult {
  int rank = 0;
  std::string host;
  std::int64_t pid = 0;
  std::string status;  ///< `done`, `failed`, `canceled`
  std::optional<ClockResult> clock;
  std::vector<std::string> devices;
};

/// The all-reduces of a step.
struct AllReduceResult {
  Bytes bytes = 0;       ///< of the gradients
  TimeNs exposedNs = 0;  ///< after the backward of the last rank
  double hiddenPct = 0.0;
};

/// How many updates of others came between reading the parameters and an update.
struct StalenessResult {
  double median = 0.0;
  double p99 = 0.0;
  std::int64_t max = 0;
};
/// The loss of one process over its updates.
struct LossCurve {
  std::vector<std::int64_t> updates;  ///< number of updates of all processes so far
  std::vector<double> loss;
};
struct HogwildResult {
  std::int64_t processes = 0;
  bool threads = false;
  std::int64_t updates = 0;  ///< of all processes in a repeat
  double updatesPerS = 0.0;
  StalenessResult staleness;
  double firstLoss = 0.0;
  double lastLoss = 0.0;          ///< mean over the last updates of all processes
  std::vector<LossCurve> curves;  ///< by process, at most 200 points each
};

[[nodiscard]] Json toJson(const RankResult& result);
[[nodiscard]] Json toJson(const AllReduceResult& result);
[[nodiscard]] Json toJson(const HogwildResult& result);
/// May throw a nlohmann exception on a wrong type, as these three.
[[nodiscard]] RankResult rankFromJson(const Json& json);
[[nodiscard]] AllReduceResult allReduceFromJson(const Json& json);
[[nodiscard]] HogwildResult hogwildFromJson(const Json& json);

}  // namespace stagelane::record
