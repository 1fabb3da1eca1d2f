#include "engine/record/rank_results.h"

#include "engine/record/json_numbers.h"

namespace stagelane::record {
namespace {

Json toJson(const LossCurve& curve) {
  Json losses = Json::array();
  for (const double loss : curve.loss) losses.push_back(numberOrNull(loss));
  return {{"updates", curve.updates}, {"loss", std::move(losses)}};
}

LossCurve curveFromJson(const Json& json) {
  LossCurve curve;
  curve.updates = json.at("updates").get<std::vector<std::int64_t>>();
  for (const Json& loss : json.at("loss")) curve.loss.push_back(numberOrNaN(loss));
  return curve;
}

}  // namespace

Json toJson(const RankResult& result) {
  Json json{
      {"rank", result.rank}, {"host", result.host}, {"pid", result.pid}, {"status", result.status}};
  if (!result.devices.empty()) json["devices"] = result.devices;
  if (result.clock) {
    json["clock"] = {{"offset_ns", result.clock->offsetNs},
                     {"error_ns", result.clock->errorNs},
                     {"drift_ppm", numberOrNull(result.clock->driftPpm)}};
  }
  return json;
}

RankResult rankFromJson(const Json& json) {
  RankResult result;
  result.rank = json.at("rank").get<int>();
  result.host = json.value("host", "");
  result.pid = json.value("pid", std::int64_t{0});
  result.status = json.value("status", "");
  result.devices = json.value("devices", std::vector<std::string>());
  if (const auto clock = json.find("clock"); clock != json.end() && clock->is_object()) {
    result.clock =
        ClockResult{clock->value("offset_ns", TimeNs{0}), clock->value("error_ns", TimeNs{0}),
                    numberOrNaN(clock->value("drift_ppm", Json(0.0)))};
  }
  return result;
}

Json toJson(const AllReduceResult& result) {
  return {{"bytes", result.bytes},
          {"exposed_ns", result.exposedNs},
          {"hidden_pct", numberOrNull(result.hiddenPct)}};
}

AllReduceResult allReduceFromJson(const Json& json) {
  return {json.at("bytes").get<Bytes>(), json.at("exposed_ns").get<TimeNs>(),
          numberOrNaN(json.at("hidden_pct"))};
}

Json toJson(const HogwildResult& result) {
  Json curves = Json::array();
  for (const LossCurve& curve : result.curves) curves.push_back(toJson(curve));
  return {{"processes", result.processes},
          {"threads", result.threads},
          {"updates", result.updates},
          {"updates_per_s", numberOrNull(result.updatesPerS)},
          {"staleness",
           {{"median", numberOrNull(result.staleness.median)},
            {"p99", numberOrNull(result.staleness.p99)},
            {"max", result.staleness.max}}},
          {"first_loss", numberOrNull(result.firstLoss)},
          {"last_loss", numberOrNull(result.lastLoss)},
          {"curves", std::move(curves)}};
}

HogwildResult hogwildFromJson(const Json& json) {
  HogwildResult result;
  result.processes = json.at("processes").get<std::int64_t>();
  result.threads = json.value("threads", false);
  result.updates = json.at("updates").get<std::int64_t>();
  result.updatesPerS = numberOrNaN(json.at("updates_per_s"));
  const Json& staleness = json.at("staleness");
  result.staleness = {numberOrNaN(staleness.at("median")), numberOrNaN(staleness.at("p99")),
                      staleness.at("max").get<std::int64_t>()};
  result.firstLoss = numberOrNaN(json.at("first_loss"));
  result.lastLoss = numberOrNaN(json.at("last_loss"));
  for (const Json& curve : json.at("curves")) result.curves.push_back(curveFromJson(curve));
  return result;
}

}  // namespace stagelane::record
