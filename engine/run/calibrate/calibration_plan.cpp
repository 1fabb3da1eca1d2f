#include "engine/run/calibrate/calibration_plan.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "engine/base/find.h"
#include "engine/plan/hosts.h"
#include "engine/plan/imagined.h"
#include "engine/plan/rows.h"
#include "engine/predict/simulator.h"
#include "engine/run/device/worker_pool.h"
#include "engine/run/step/tensors.h"

namespace stagelane::run {
namespace {

constexpr std::size_t kMostSizes = 10;
constexpr int kLeastRounds = 3;
constexpr int kMostRounds = 15;
// Smaller micro-batches are not representative, and batch statistics need several samples.
constexpr std::int64_t kSmallestProbe = 4;

/// Data of a kind, collected from the variants.
struct Found {
  WorkerKind kind;
  std::map<std::int64_t, std::int64_t> uses;  ///< samples → micro-batches of that size
};

/// CPU workers with the same number of threads are one kind.
std::pair<std::string, int> keyOf(const DeviceId& device, int threads) {
  return plan::isCpuWorker(device) ? std::pair(std::string("cpu"), threads)
                                   : std::pair(device.value, 0);
}

/// A CPU worker of another rank is measured as the one of the same number in this process.
DeviceId measuredAs(const DeviceId& device) {
  if (!plan::isCpuWorker(device) || !plan::namesRank(device)) return device;
  return DeviceId{device.value.substr(0, device.value.rfind('@'))};
}

std::vector<DeviceId> listedDevices(const plan::Experiment& experiment) {
  std::vector<DeviceId> devices;
  for (const plan::DeviceSpec& spec : experiment.devices) {
    const DeviceId device = measuredAs(spec.id);
    if (!plan::isImagined(spec) && !contains(devices, device)) devices.push_back(device);
  }
  return devices;
}

/// The devices that a variant uses, grouped by kind. For a thread count that any plan may have, all
/// listed CPU workers, because later plans may use them all at once.
std::map<std::pair<std::string, int>, std::vector<DeviceId>> workersByKind(
    const plan::Experiment& experiment, const plan::Variant& variant) {
  const int threads = threadsOf(experiment, variant);
  std::map<std::pair<std::string, int>, std::vector<DeviceId>> kinds;
  for (const DeviceId& row : plan::rowsOf(variant)) {
    const DeviceId device = measuredAs(plan::realDevice(experiment.devices, row));
    auto& together = kinds[keyOf(device, threads)];
    if (!contains(together, device)) together.push_back(device);
  }
  if (threads != experiment.threadsPerCpuWorker) return kinds;
  for (const DeviceId& device : listedDevices(experiment)) {
    const auto own = kinds.find(keyOf(device, threads));
    if (own != kinds.end() && !contains(own->second, device)) own->second.push_back(device);
  }
  return kinds;
}

/// Other plans may use any two of the devices.
std::vector<std::pair<DeviceId, DeviceId>> pairsOf(const std::vector<DeviceId>& devices) {
  std::vector<std::pair<DeviceId, DeviceId>> pairs;
  for (const DeviceId& from : devices) {
    for (const DeviceId& to : devices) {
      if (from != to) pairs.emplace_back(from, to);
    }
  }
  return pairs;
}

/// A model with batch statistics cannot be trained on one value per channel.
bool trainable(const plan::Experiment& experiment, std::int64_t samples) {
  model::Shape shape = experiment.input;
  shape.insert(shape.begin(), samples);
  return checkTrainable(*experiment.model, shape).has_value();
}

std::set<std::int64_t> withNeighbors(const plan::Experiment& experiment,
                                     const std::map<std::int64_t, std::int64_t>& uses) {
  std::set<std::int64_t> sizes;
  for (const auto& [samples, count] : uses) {
    for (const std::int64_t size : {samples, samples / 2, samples * 2}) {
      const bool occurs = uses.count(size) != 0;
      const bool possible =
          size >= 1 && size <= experiment.data.batchSize && trainable(experiment, size);
      if (occurs || possible) sizes.insert(size);
    }
  }
  return sizes;
}

/// At most this many sizes, evenly spaced, including the smallest, the typical and the largest.
std::vector<std::int64_t> thinned(const std::set<std::int64_t>& sizes, std::int64_t typical) {
  const std::vector<std::int64_t> all(sizes.begin(), sizes.end());
  if (all.size() <= kMostSizes) return all;
  std::set<std::int64_t> kept{typical};
  for (std::size_t i = 0; i < kMostSizes - 1; ++i) {
    kept.insert(all[i * (all.size() - 1) / (kMostSizes - 2)]);
  }
  return {kept.begin(), kept.end()};
}

/// The median size weighted by samples. Contention is measured with it, because the smallest size
/// has the most micro-batches but is not representative.
std::int64_t middleOf(const std::map<std::int64_t, std::int64_t>& uses) {
  std::int64_t left = 0;
  for (const auto& [samples, count] : uses) left += samples * count;
  left = (left + 1) / 2;
  for (const auto& [samples, count] : uses) {
    left -= samples * count;
    if (left <= 0) return samples;
  }
  return 1;
}

void note(Found& found, const plan::Experiment& experiment, const plan::Variant& variant,
          const std::vector<DeviceId>& rows) {
  for (const std::int64_t size :
       plan::microBatchSizes(experiment.data.batchSize, variant.splitSize)) {
    ++found.uses[size];
  }
  if (found.kind.cpu && rows.size() > found.kind.together.size()) found.kind.together = rows;
}

/// The size whose removal affects a table least. @pre at least two sizes
std::vector<std::int64_t>::iterator leastMissed(std::vector<std::int64_t>& samples,
                                                const WorkerKind& kind) {
  const auto last = samples.end() - 1;
  for (auto size = samples.end(); size != samples.begin();) {
    if (kind.occurring.count(*--size) == 0) return size;
  }
  // Among the inner sizes, the one whose neighbors are closest, as a ratio.
  auto found = last;
  double closest = 0.0;
  for (auto size = samples.begin() + 1; size < last; ++size) {
    const double ratio = static_cast<double>(*(size + 1)) / static_cast<double>(*(size - 1));
    if (*size != kind.typical && (found == last || ratio < closest)) {
      found = size;
      closest = ratio;
    }
  }
  return found;
}

}  // namespace

Result<CalibrationPlan> planCalibration(const plan::Experiment& experiment, bool neighbors) {
  std::map<std::pair<std::string, int>, Found> kinds;
  for (const plan::Variant& variant : experiment.variants) {
    if (!variant.include) continue;
    const int threads = threadsOf(experiment, variant);
    for (const auto& [key, own] : workersByKind(experiment, variant)) {
      Found& found = kinds[key];
      if (found.uses.empty()) {
        found.kind.cpu = plan::isCpuWorker(own.front());
        found.kind.threads = threads;
        found.kind.device = own.front();
      }
      note(found, experiment, variant, own);
    }
  }
  if (kinds.empty()) {
    return fail(ErrorCode::Invalid, "no variant is included", "/variants",
                "include at least one variant");
  }
  CalibrationPlan plan;
  for (auto& [key, found] : kinds) {
    found.kind.typical = middleOf(found.uses);
    std::set<std::int64_t> sizes;
    for (const auto& [samples, count] : found.uses) sizes.insert(samples);
    found.kind.occurring = sizes;
    found.kind.samples =
        thinned(neighbors ? withNeighbors(experiment, found.uses) : sizes, found.kind.typical);
    plan.kinds.push_back(std::move(found.kind));
  }
  plan.links = pairsOf(listedDevices(experiment));
  return plan;
}

VisitCost visitCost(std::pair<std::int64_t, double> small, std::pair<std::int64_t, double> large) {
  const auto more = static_cast<double>(large.first - small.first);
  if (more <= 0.0) return {0.0, small.second / static_cast<double>(small.first)};
  VisitCost cost;
  cost.secondsPerSample = std::max(0.0, (large.second - small.second) / more);
  cost.fixedSeconds =
      std::max(0.0, small.second - cost.secondsPerSample * static_cast<double>(small.first));
  return cost;
}

std::vector<std::int64_t> withAffordable(std::vector<std::int64_t> samples, const VisitCost& cost,
                                         double budgetSeconds) {
  const auto tooDear = [&] {
    const double two =
        cost.seconds(samples.front()) + (samples.size() > 1 ? cost.seconds(samples[1]) : 0.0);
    return (kLeastRounds + 1) * two > budgetSeconds;
  };
  while (samples.front() >= 2 * kSmallestProbe && tooDear()) {
    samples.insert(samples.begin(), samples.front() / 2);
  }
  return samples;
}

Rounds roundsWithin(const WorkerKind& kind, const VisitCost& cost, double fixedSeconds,
                    double budgetSeconds) {
  Rounds answer;
  answer.samples = kind.samples;
  const auto secondsOfRound = [&] {
    return std::accumulate(
        answer.samples.begin(), answer.samples.end(), fixedSeconds,
        [&cost](double sum, std::int64_t size) { return sum + cost.seconds(size); });
  };
  // One extra round, because the first visit of a size runs on cold memory.
  while (answer.samples.size() > 2 && (kLeastRounds + 1) * secondsOfRound() > budgetSeconds) {
    answer.samples.erase(leastMissed(answer.samples, kind));
  }
  const double fit = budgetSeconds / std::max(secondsOfRound(), 1e-9) - 1.0;
  answer.rounds = static_cast<int>(
      std::clamp(std::floor(fit), static_cast<double>(kLeastRounds), double{kMostRounds}));
  return answer;
}

}  // namespace stagelane::run
