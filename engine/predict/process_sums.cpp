#include "engine/predict/process_sums.h"

#include <algorithm>
#include <cmath>

namespace stagelane::predict {
namespace {

// As in other members of a cost file.
constexpr double kLargest = 1e15;
constexpr double kLargestFactor = 100.0;
constexpr std::int64_t kMostProcesses = 1 << 20;

/// Between the measured sizes.
double interpolated(const std::vector<SumPoint>& points, double bytes) {
  const auto at = [](const SumPoint& point) { return static_cast<double>(point.bytes); };
  if (points.size() < 2 || bytes <= at(points.front())) {
    return static_cast<double>(points.front().ns);
  }
  std::size_t high = 1;
  while (high + 1 < points.size() && bytes > at(points[high])) ++high;
  const SumPoint& low = points[high - 1];
  const double part = (bytes - at(low)) / (at(points[high]) - at(low));
  return static_cast<double>(low.ns) + part * static_cast<double>(points[high].ns - low.ns);
}

double limited(ObjectReader& reader, const std::string& key, double largest, double fallback) {
  const double value = reader.number(key, fallback);
  if (!(value >= 0.0 && value <= largest)) {
    reader.problem(key, "must be from 0 to " + std::string(largest == kLargest ? "1e15" : "100"));
    return fallback;
  }
  return value;
}

Result<SumPoint> pointFromJson(const Json& json, const std::string& pointer) {
  ObjectReader reader(json, pointer);
  SumPoint point;
  for (const char* key : {"bytes", "ns"}) {
    if (!reader.has(key)) reader.problem(key, std::string("\"") + key + "\" is missing");
  }
  point.bytes = std::llround(limited(reader, "bytes", kLargest, 0.0));
  point.ns = std::llround(limited(reader, "ns", kLargest, 0.0));
  STAGELANE_CHECK(reader.finish());
  return point;
}

}  // namespace

double ProcessSums::ns(double bytes, int replicas) const {
  const auto measured = static_cast<double>(processes);
  const auto wanted = static_cast<double>(replicas);
  // A ring of n takes 2(n−1) rounds of an n-th of the bytes: compare rounds of equal length.
  return (wanted - 1.0) / (measured - 1.0) * interpolated(points, bytes * measured / wanted);
}

Result<ProcessSums> processSumsFromJson(const Json& json, const std::string& pointer) {
  ObjectReader reader(json, pointer);
  ProcessSums sums;
  const std::int64_t processes = reader.integer("processes", 2);
  if (processes < 2 || processes > kMostProcesses) {
    reader.problem("processes", "must be from 2 to " + std::to_string(kMostProcesses));
  }
  sums.processes = static_cast<int>(processes);
  sums.busyFactor = limited(reader, "busy_factor", kLargestFactor, 1.0);
  sums.computeFactor = limited(reader, "compute_factor", kLargestFactor, 1.0);
  sums.copyBytesPerSecond = limited(reader, "copy_bytes_per_s", kLargest, 0.0);
  for (const char* key : {"busy_factor", "compute_factor"}) {
    if (reader.number(key, 1.0) == 0.0) reader.problem(key, "must be above 0");
  }
  const Json* points = reader.raw("points");
  if (points == nullptr || !points->is_array() || points->empty()) {
    reader.problem("points", "expected a list of at least one point",
                   R"(Use [{"bytes": 1048576, "ns": 400000}])");
  }
  STAGELANE_CHECK(reader.finish());
  for (std::size_t i = 0; i < points->size(); ++i) {
    STAGELANE_TRY(point,
                  pointFromJson((*points)[i], childPointer(childPointer(pointer, "points"), i)));
    if (i > 0 && point->bytes <= sums.points.back().bytes) {
      return fail(ErrorCode::Invalid, "the points must have ascending bytes",
                  childPointer(pointer, "points"), "Sort them, and keep one of each size");
    }
    sums.points.push_back(*point);
  }
  return sums;
}

Json toJson(const ProcessSums& sums) {
  Json points = Json::array();
  for (const SumPoint& point : sums.points) {
    points.push_back({{"bytes", point.bytes}, {"ns", point.ns}});
  }
  return {{"processes", sums.processes},
          {"points", std::move(points)},
          {"busy_factor", sums.busyFactor},
          {"compute_factor", sums.computeFactor},
          {"copy_bytes_per_s", sums.copyBytesPerSecond}};
}

}  // namespace stagelane::predict
