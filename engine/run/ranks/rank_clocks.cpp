#include "engine/run/ranks/rank_clocks.h"

#include <ATen/ops/zeros.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <torch/csrc/distributed/c10d/Backend.hpp>

#include "engine/run/device/worker.h"
#include "engine/trace/recorder.h"

namespace stagelane::run {
namespace {

constexpr int kPingTag = 11;
constexpr int kPongTag = 12;
constexpr double kShortestSpanNs = 1e9;  ///< for a drift

/// The weighted line through samples, with times relative to the first one.
struct Line {
  double meanAt = 0;
  double meanOffset = 0;
  double slope = 0;
};

Line fitted(const std::vector<ClockSample>& samples) {
  Line line;
  double weights = 0;
  const TimeNs zeroNs = samples.front().atNs;
  const auto weightOf = [](const ClockSample& sample) {
    const double error = static_cast<double>(std::max<TimeNs>(sample.errorNs, 1));
    return 1 / (error * error);
  };
  // Relative to the first offset too: clocks of two hosts are far apart, and doubles have 53 bits.
  const TimeNs baseNs = samples.front().offsetNs;
  for (const ClockSample& sample : samples) {
    const double weight = weightOf(sample);
    weights += weight;
    line.meanAt += weight * static_cast<double>(sample.atNs - zeroNs);
    line.meanOffset += weight * static_cast<double>(sample.offsetNs - baseNs);
  }
  line.meanAt /= weights;
  line.meanOffset /= weights;
  double variance = 0;
  double covariance = 0;
  TimeNs lastNs = zeroNs;
  for (const ClockSample& sample : samples) {
    const double at = static_cast<double>(sample.atNs - zeroNs) - line.meanAt;
    variance += weightOf(sample) * at * at;
    covariance +=
        weightOf(sample) * at * (static_cast<double>(sample.offsetNs - baseNs) - line.meanOffset);
    lastNs = std::max(lastNs, sample.atNs);
  }
  if (static_cast<double>(lastNs - zeroNs) >= kShortestSpanNs && variance > 0) {
    line.slope = covariance / variance;
  }
  return line;
}

ClockSample ping(c10d::Backend& backend, int peer) {
  std::vector<at::Tensor> message{at::zeros({2}, at::kLong)};
  const TimeNs sentNs = trace::monotonicNs();
  backend.send(message, peer, kPingTag)->wait();
  backend.recv(message, peer, kPongTag)->wait();
  const TimeNs backNs = trace::monotonicNs();
  // The peer's readings at arrival and departure, as NTP has them: its own delay does not count.
  const auto* const peerNs = message[0].const_data_ptr<std::int64_t>();
  ClockSample sample;
  sample.atNs = sentNs + (backNs - sentNs) / 2;
  sample.offsetNs = ((peerNs[0] - sentNs) + (peerNs[1] - backNs)) / 2;
  sample.errorNs = (backNs - sentNs - (peerNs[1] - peerNs[0]) + 1) / 2;
  return sample;
}

void pong(c10d::Backend& backend) {
  std::vector<at::Tensor> message{at::zeros({2}, at::kLong)};
  backend.recv(message, 0, kPingTag)->wait();
  auto* const ownNs = message[0].mutable_data_ptr<std::int64_t>();
  ownNs[0] = trace::monotonicNs();
  ownNs[1] = trace::monotonicNs();
  backend.send(message, 0, kPongTag)->wait();
}

}  // namespace

void ClockEstimate::add(const ClockSample& sample) { m_samples.push_back(sample); }

TimeNs ClockEstimate::offsetNs(TimeNs atNs) const {
  if (m_samples.empty()) return 0;
  const Line line = fitted(m_samples);
  const double at = static_cast<double>(atNs - m_samples.front().atNs) - line.meanAt;
  return m_samples.front().offsetNs +
         static_cast<TimeNs>(std::llround(line.meanOffset + line.slope * at));
}

double ClockEstimate::drift() const { return m_samples.empty() ? 0 : fitted(m_samples).slope; }

TimeNs ClockEstimate::errorNs() const {
  if (m_samples.empty()) return 0;
  TimeNs least = std::numeric_limits<TimeNs>::max();
  for (const ClockSample& sample : m_samples) least = std::min(least, sample.errorNs);
  return least;
}

TimeNs ClockEstimate::toFirst(TimeNs otherNs) const {
  // The drift is parts in a million, so two steps are exact to the nanosecond.
  TimeNs firstNs = otherNs - offsetNs(m_samples.empty() ? otherNs : m_samples.front().atNs);
  for (int step = 0; step < 2; ++step) firstNs = otherNs - offsetNs(firstNs);
  return firstNs;
}

Result<std::vector<ClockSample>> compareClocks(RankGroup& group, int rounds) {
  std::vector<ClockSample> samples;
  STAGELANE_CHECK(guarded("comparing clocks in group '" + group.name() + "'", [&]() -> Status {
    c10d::Backend& backend = *group.backend();
    for (int round = 0; round < rounds && group.rank() != 0; ++round) pong(backend);
    if (group.rank() != 0) return {};
    samples.resize(static_cast<std::size_t>(group.size()));
    samples[0].atNs = trace::monotonicNs();
    for (int peer = 1; peer < group.size(); ++peer) {
      ClockSample& best = samples[static_cast<std::size_t>(peer)];
      for (int round = 0; round < rounds; ++round) {
        const ClockSample sample = ping(backend, peer);
        if (round == 0 || sample.errorNs < best.errorNs) best = sample;
      }
    }
    return {};
  }));
  return samples;
}

}  // namespace stagelane::run
