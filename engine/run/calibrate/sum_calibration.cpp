#include "engine/run/calibrate/sum_calibration.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include "engine/base/quantile.h"
#include "engine/run/ranks/sum_probe.h"
#include "engine/trace/recorder.h"

namespace stagelane::run {
namespace {

constexpr Bytes kSmallest = Bytes{16} << 10;
constexpr Bytes kLargest = Bytes{64} << 20;
/// Of the sums beside the computation: short against a step, but well above a latency.
constexpr Bytes kBeside = Bytes{4} << 20;
constexpr TimeNs kTimeOfSize = 60'000'000;
constexpr std::size_t kLeastSums = 5;
constexpr std::size_t kMostSums = 31;
constexpr double kLeastSecondsOfTraining = 0.3;
constexpr std::size_t kLeastVisits = 4;

double median(const std::vector<double>& values) { return quantile(values, 0.5); }

class SumCalibration {
 public:
  SumCalibration(SumProbe& probe, const SumCalibrationPorts& ports)
      : m_probe(probe), m_ports(ports) {}

  /// The median, after a first sum on cold memory.
  Result<double> alone(Bytes bytes) {
    STAGELANE_CHECK(m_probe.sum(bytes));
    std::vector<double> times;
    const TimeNs startNs = trace::monotonicNs();
    while (times.size() < kLeastSums ||
           (times.size() < kMostSums && trace::monotonicNs() - startNs < kTimeOfSize)) {
      if (m_ports.stopped()) break;
      STAGELANE_TRY(time, m_probe.sum(bytes));
      times.push_back(static_cast<double>(*time));
    }
    return times.empty() ? 0.0 : median(times);
  }

  /// The median time in which all workers train once, after a first one.
  Result<double> training() {
    STAGELANE_CHECK(m_ports.train());
    std::vector<double> seconds;
    double all = 0.0;
    while ((all < kLeastSecondsOfTraining || seconds.size() < kLeastVisits) && !m_ports.stopped()) {
      STAGELANE_TRY(one, m_ports.train());
      seconds.push_back(*one);
      all += *one;
    }
    return seconds.empty() ? 0.0 : median(seconds);
  }

  struct Beside {
    double trainingSeconds = 0.0;
    double sumNs = 0.0;
  };
  /// Both at the same time.
  Result<Beside> beside(Bytes bytes) {
    std::atomic<bool> over{false};
    std::vector<double> times;
    Status summed;
    std::thread sums([&] {
      while (!over && summed) {
        const auto time = m_probe.sum(bytes);
        if (!time) {
          summed = tl::make_unexpected(time.error());
        } else if (!over) {
          times.push_back(static_cast<double>(*time));
        }
      }
    });
    const auto seconds = training();
    over = true;
    sums.join();
    STAGELANE_CHECK(summed);
    STAGELANE_CHECK(seconds);
    return Beside{*seconds, times.empty() ? 0.0 : median(times)};
  }

 private:
  SumProbe& m_probe;
  const SumCalibrationPorts& m_ports;
};

double factor(double with, double without) {
  return with > 0.0 && without > 0.0 ? std::max(1.0, with / without) : 1.0;
}

}  // namespace

std::vector<Bytes> sumSizes(Bytes gradients) {
  const Bytes last = std::clamp(gradients, kSmallest, kLargest);
  std::vector<Bytes> sizes;
  for (Bytes size = kSmallest; 2 * size < last; size *= 4) sizes.push_back(size);
  sizes.push_back(last);
  return sizes;
}

Result<predict::ProcessSums> calibrateSums(int processes, Bytes gradients,
                                           const SumCalibrationPorts& ports) {
  STAGELANE_TRY(probe, SumProbe::create(processes));
  SumCalibration calibration(**probe, ports);
  predict::ProcessSums sums;
  sums.processes = processes;
  for (const Bytes bytes : sumSizes(gradients)) {
    STAGELANE_TRY(time, calibration.alone(bytes));
    sums.points.push_back({bytes, static_cast<TimeNs>(*time)});
  }
  const Bytes besideBytes = std::clamp(gradients, kSmallest, kBeside);
  STAGELANE_TRY(alone, calibration.alone(besideBytes));
  STAGELANE_TRY(training, calibration.training());
  STAGELANE_TRY(beside, calibration.beside(besideBytes));
  sums.busyFactor = factor(beside->sumNs, *alone);
  sums.computeFactor = factor(beside->trainingSeconds, *training);
  const Bytes copied = std::clamp(gradients, kSmallest, kLargest);
  STAGELANE_CHECK(ports.copy(copied));
  STAGELANE_TRY(copy, ports.copy(copied));
  sums.copyBytesPerSecond = *copy > 0.0 ? static_cast<double>(copied) / *copy : 0.0;
  return sums;
}

}  // namespace stagelane::run
