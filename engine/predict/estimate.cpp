
#include "engine/plan/block_estimate.h"
#include "engine/predict/block_costs.h"

namespace stagelane::predict {
namespace {

// Unmeasured links: the bandwidth of a pinned copy over PCIe 4 ×16, and the minimum time of a copy.
// CPU workers share memory, so nothing is copied between them.
constexpr double kLinkBytesPerSecond = 20e9;
constexpr double kLinkLatencyNs = 10e3;
// Processes on one machine without GPUs: Gloo over the loopback interface.
constexpr double kGlooBytesPerSecond = 4e9;
constexpr double kGlooLatencyNs = 50e3;

/// An invalid device counts as a CPU worker.
plan::ParsedDevice parsed(const DeviceId& device) {
  return plan::parseDevice(device).value_or(plan::ParsedDevice{});
}

plan::DeviceKind kindOf(const DeviceId& device) { return parsed(device).kind; }

plan::DeviceRates ratesOf(const plan::Experiment& experiment, const Place& place) {
  const int threads = place.threads > 0 ? place.threads : experiment.threadsPerCpuWorker;
  return plan::estimatedRates(parsed(place.device), threads);
}

}  // namespace

std::vector<BlockTimes> BlockCostSource::estimated(const Place& place,
                                                   const model::ModelShapes& shapes) const {
  const plan::DeviceRates rates = ratesOf(m_experiment, place);
  const std::vector<plan::BlockEstimate> estimates = plan::estimateBlocks(shapes, rates);
  const double streams = plan::optimizerStreams(m_experiment.optimizer);
  std::vector<BlockTimes> answer;
  for (std::size_t i = 0; i < shapes.blocks.size(); ++i) {
    const model::BlockCost& block = shapes.blocks[i];
    BlockTimes times;
    times.forward = estimates[i].forwardNs;
    times.backwardInput = estimates[i].backwardInputNs;
    times.backwardWeight = estimates[i].backwardWeightNs;
    times.backward = times.backwardInput + times.backwardWeight;
    times.optimizer =
        1e9 * streams * static_cast<double>(block.parameterBytes) / rates.updateBytesPerSecond;
    times.savedBytes = static_cast<double>(block.savedBytes);
    times.temporaryBytes = static_cast<double>(block.temporaryBytes);
    times.outputBytes = static_cast<double>(block.outputBytes);
    answer.push_back(times);
  }
  return answer;
}

double BlockCostSource::estimatedLossNs(const Place& place, std::int64_t samples) {
  const auto modelShapes = shapes(samples);
  if (!modelShapes || (*modelShapes)->blocks.empty()) return 0.0;
  const plan::DeviceRates rates = ratesOf(m_experiment, place);
  const auto bytes = static_cast<double>((*modelShapes)->blocks.back().outputBytes);
  return rates.callNs + 3e9 * bytes / rates.bytesPerSecond;
}

LinkRate BlockCostSource::estimatedLink(const DeviceId& from, const DeviceId& to) {
  const bool shared =
      kindOf(from) == plan::DeviceKind::CpuWorker && kindOf(to) == plan::DeviceKind::CpuWorker;
  return shared ? LinkRate{} : LinkRate{kLinkLatencyNs, 1e9 / kLinkBytesPerSecond};
}

LinkRate BlockCostSource::estimatedLinkOfProcesses(const DeviceId& from, const DeviceId& to) {
  const bool workers =
      kindOf(from) == plan::DeviceKind::CpuWorker && kindOf(to) == plan::DeviceKind::CpuWorker;
  return workers ? LinkRate{kGlooLatencyNs, 1e9 / kGlooBytesPerSecond} : estimatedLink(from, to);
}

double BlockCostSource::estimatedStreamNs(const Place& place, double bytes) const {
  return 1e9 * bytes / ratesOf(m_experiment, place).updateBytesPerSecond;
}

}  // namespace stagelane::predict
