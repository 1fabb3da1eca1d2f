#include "engine/predict/block_costs.h"

#include <algorithm>
#include <cmath>

#include "engine/plan/hosts.h"
#include "engine/plan/imagined.h"
#include "engine/predict/shared_cores.h"

namespace stagelane::predict {
namespace {

/// One figure of a point; empty if the file does not have it.
template <class Member>
std::optional<double> figure(const CostPoint& point, Member CostPoint::*member) {
  const auto value = point.*member;
  if (value < 0) return std::nullopt;
  return static_cast<double>(value);
}

/// Interpolates linearly between the measured sizes; outside them scales the nearest point.
template <class Member>
std::optional<double> interpolated(const std::vector<CostPoint>& points, std::int64_t samples,
                                   Member CostPoint::*member) {
  const auto above =
      std::lower_bound(points.begin(), points.end(), samples,
                       [](const CostPoint& point, std::int64_t n) { return point.samples < n; });
  if (above == points.begin() || above == points.end()) {
    const CostPoint& nearest = above == points.end() ? points.back() : points.front();
    const auto value = figure(nearest, member);
    if (!value) return value;
    return *value * static_cast<double>(samples) / static_cast<double>(nearest.samples);
  }
  const auto low = figure(*(above - 1), member);
  const auto high = figure(*above, member);
  if (!low || !high) return std::nullopt;
  const auto distance = static_cast<double>(above->samples - (above - 1)->samples);
  const double part = static_cast<double>(samples - (above - 1)->samples) / distance;
  return *low + part * (*high - *low);
}

/// The memory figures between the measured sizes; empty if an adjacent point lacks them.
std::optional<BlockMemory> memoryAt(const std::vector<CostPoint>& points, std::int64_t samples) {
  BlockMemory memory;
  for (const MemoryFigure& figure : kMemoryFigures) {
    std::vector<CostPoint> plain;
    for (const CostPoint& point : points) {
      if (!point.memory) return std::nullopt;
      plain.emplace_back();
      plain.back().samples = point.samples;
      plain.back().savedBytes = (*point.memory).*figure.member;
    }
    memory.*figure.member =
        std::llround(interpolated(plain, samples, &CostPoint::savedBytes).value_or(0.0));
  }
  return memory;
}

LinkRate rateOf(TimeNs latencyNs, double bytesPerSecond) {
  return {static_cast<double>(latencyNs), bytesPerSecond > 0.0 ? 1e9 / bytesPerSecond : 0.0};
}

/// Of one message: a round of the ring.
LinkRate messageOf(const ProcessSums& sums) {
  const double rounds = 2.0 * (sums.processes - 1);
  const SumPoint& first = sums.points.front();
  const SumPoint& last = sums.points.back();
  LinkRate rate{static_cast<double>(first.ns) / rounds, 0.0};
  if (last.bytes > first.bytes) {
    rate.nsPerByte = static_cast<double>(std::max<TimeNs>(0, last.ns - first.ns)) / rounds *
                     sums.processes / static_cast<double>(last.bytes - first.bytes);
  }
  return rate;
}

int threadsOf(const plan::Experiment& experiment, const Place& place) {
  return place.threads > 0 ? place.threads : experiment.threadsPerCpuWorker;
}

}  // namespace

BlockCostSource::BlockCostSource(const plan::Experiment& experiment, const CostTable* table,
                                 WhatIf whatIf)
    : m_experiment(experiment), m_table(table), m_whatIf(std::move(whatIf)) {
  for (std::size_t i = 0; i < experiment.devices.size(); ++i) {
    m_devices.try_emplace(experiment.devices[i].id.value, i);
  }
  if (table == nullptr) return;
  for (const LinkCost& link : table->links) {
    m_links.try_emplace({link.from.value, link.to.value},
                        rateOf(link.latencyNs, link.bytesPerSecond));
  }
  for (const ProcessLink& link : table->processLinks) {
    const LinkRate rate = rateOf(link.latencyNs, link.bytesPerSecond);
    if (link.from && link.to) {
      m_processLinks.try_emplace({link.from->value, link.to->value}, rate);
    } else if (!m_anyProcessLink) {
      m_anyProcessLink = rate;
    }
  }
}

void BlockCostSource::dealTo(const std::vector<DeviceId>& devices, const std::vector<int>& ranks) {
  m_ranks.clear();
  for (std::size_t i = 0; i < devices.size(); ++i) m_ranks.try_emplace(devices[i].value, ranks[i]);
}

int BlockCostSource::rankOf(const DeviceId& device) const {
  if (const auto dealt = m_ranks.find(device.value); dealt != m_ranks.end()) return dealt->second;
  if (!plan::namesRank(device)) return 0;
  return plan::parseDevice(device).value_or(plan::ParsedDevice{}).rank;
}

Basis BlockCostSource::basis() const {
  return m_table == nullptr ? Basis::Estimate : m_table->basis;
}

std::pair<Place, double> BlockCostSource::resolved(const Place& place) const {
  const auto known = m_devices.find(place.device.value);
  if (known == m_devices.end()) return {place, 1.0};
  const plan::DeviceSpec& spec = m_experiment.devices[known->second];
  if (spec.speed <= 0.0) return {place, 1.0};
  return {{plan::realDevice(spec), place.threads}, 1.0 / spec.speed};
}

/// The most specific entry: an entry for the device precedes a generic one, likewise for threads.
const BlockCosts* BlockCostSource::entryOf(const std::string& block, const Place& place) const {
  const int threads = threadsOf(m_experiment, place);
  const bool worker = plan::isCpuWorker(place.device);
  const BlockCosts* best = nullptr;
  int bestRank = -1;
  for (const BlockCosts& entry : m_table->blocks) {
    if (entry.name != block || (entry.device && *entry.device != place.device)) continue;
    if (entry.threads > 0 && (!worker || entry.threads != threads)) continue;
    const int rank = (entry.device ? 2 : 0) + (entry.threads > 0 ? 1 : 0);
    if (rank <= bestRank) continue;
    best = &entry;
    bestRank = rank;
  }
  return best;
}

bool BlockCostSource::covers(const Place& place) const {
  if (m_table == nullptr) return true;
  const Place real = resolved(place).first;
  const auto& blocks = m_experiment.model->blocks;
  const auto has = [&](const model::Block& block) { return entryOf(block.name, real) != nullptr; };
  return std::all_of(blocks.begin(), blocks.end(), has);
}

Result<const model::ModelShapes*> BlockCostSource::shapes(std::int64_t samples) {
  if (const auto known = m_shapes.find(samples); known != m_shapes.end())
    return known->second.get();
  STAGELANE_TRY(shapes, m_experiment.shapesAt(samples));
  return m_shapes.emplace(samples, std::move(*shapes)).first->second.get();
}

Result<std::vector<BlockTimes>> BlockCostSource::fromTable(const Place& place, std::int64_t samples,
                                                           const model::ModelShapes& shapes) const {
  std::vector<BlockTimes> answer;
  for (std::size_t i = 0; i < shapes.blocks.size(); ++i) {
    const std::string& name = m_experiment.model->blocks[i].name;
    const BlockCosts* entry = entryOf(name, place);
    if (entry == nullptr) {
      return fail(
          ErrorCode::Invalid,
          "the costs have no entry for block \"" + name + "\" on " + place.device.value, "",
          "Add the block to the cost file, without \"device\" if it applies to all devices");
    }
    const auto at = [&](auto member) { return interpolated(entry->points, samples, member); };
    BlockTimes times;
    times.forward = at(&CostPoint::forward).value_or(0.0);
    times.backwardInput = at(&CostPoint::backwardInput).value_or(0.0);
    times.backwardWeight = at(&CostPoint::backwardWeight).value_or(0.0);
    times.backward = at(&CostPoint::backward).value_or(0.0);
    times.accumulate = static_cast<double>(entry->accumulateNs);
    const auto known = m_table->optimizerNs.find(name);
    const TimeNs update = known == m_table->optimizerNs.end() ? 0 : known->second;
    times.optimizer = static_cast<double>(entry->optimizerNs.value_or(update));
    const model::BlockCost& own = shapes.blocks[i];
    const auto orOwn = [](std::optional<double> bytes, Bytes ownBytes) {
      return bytes.value_or(static_cast<double>(ownBytes));
    };
    times.savedBytes = orOwn(at(&CostPoint::savedBytes), own.savedBytes);
    times.temporaryBytes = orOwn(at(&CostPoint::temporaryBytes), own.temporaryBytes);
    times.outputBytes = orOwn(at(&CostPoint::outputBytes), own.outputBytes);
    times.memory = memoryAt(entry->points, samples);
    answer.push_back(times);
  }
  return answer;
}

void BlockCostSource::change(double onDevice, std::vector<BlockTimes>& blocks) const {
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const double factor = onDevice * m_whatIf.ofBlock(i);
    BlockTimes& times = blocks[i];
    for (double* time : {&times.forward, &times.backwardInput, &times.backwardWeight,
                         &times.backward, &times.accumulate, &times.optimizer}) {
      *time *= factor;
    }
  }
}

Result<const std::vector<BlockTimes>*> BlockCostSource::blocks(const Place& place,
                                                               std::int64_t samples) {
  const auto [real, slowness] = resolved(place);
  const double factor = slowness * m_whatIf.ofDevice(place.device);
  const Key key{real, factor, samples};
  if (const auto known = m_blocks.find(key); known != m_blocks.end()) return &known->second;
  STAGELANE_TRY(modelShapes, shapes(samples));
  Result<std::vector<BlockTimes>> answer =
      m_table == nullptr ? estimated(real, **modelShapes) : fromTable(real, samples, **modelShapes);
  STAGELANE_CHECK(answer);
  change(factor, *answer);
  return &m_blocks.emplace(key, std::move(*answer)).first->second;
}

double BlockCostSource::lossNs(const Place& place, std::int64_t samples) {
  const auto [real, slowness] = resolved(place);
  const double factor = slowness * m_whatIf.ofDevice(place.device);
  if (m_table != nullptr) {
    if (m_table->loss.empty()) return 0.0;
    return factor * interpolated(m_table->loss, samples, &CostPoint::forward).value_or(0.0);
  }
  return factor * estimatedLossNs(real, samples);
}

std::optional<LinkRate> BlockCostSource::listedLink(const DeviceId& from,
                                                    const DeviceId& to) const {
  if (m_table == nullptr) return std::nullopt;
  const auto between = [&](const DeviceId& source, const DeviceId& target) {
    const auto link = m_links.find({source.value, target.value});
    return link == m_links.end() ? std::optional<LinkRate>() : changed(link->second);
  };
  if (auto own = between(from, to)) return own;
  const DeviceId source = realDevice(from);
  const DeviceId target = realDevice(to);
  if (source != target) {
    if (auto real = between(source, target)) return real;
  }
  const std::optional<Network>& network = m_table->network;
  const auto first = m_devices.find(from.value);
  const auto second = m_devices.find(to.value);
  if (!network || first == m_devices.end() || second == m_devices.end()) return std::nullopt;
  const auto size = static_cast<std::size_t>(network->devicesPerNode);
  const NetworkLink& link =
      first->second / size == second->second / size ? network->within : network->between;
  return changed(rateOf(link.latencyNs, link.bytesPerSecond));
}

LinkRate BlockCostSource::linkOf(const DeviceId& from, const DeviceId& to) const {
  if (from == to) return {};
  if (acrossRanks(from, to)) return linkOfProcesses(from, to);
  if (const auto listed = listedLink(from, to)) return *listed;
  const DeviceId source = realDevice(from);
  const DeviceId target = realDevice(to);
  // Between two devices that are like the same device no link can have been measured.
  const bool unknown = source == target;
  return m_table == nullptr || unknown ? changed(estimatedLink(source, target)) : LinkRate{};
}

std::optional<LinkRate> BlockCostSource::listedLinkOfProcesses(const DeviceId& from,
                                                               const DeviceId& to) const {
  const bool given = m_table != nullptr && m_table->basis == Basis::File;
  const bool workers = plan::isCpuWorker(realDevice(from)) && plan::isCpuWorker(realDevice(to));
  return workers && !given ? std::nullopt : listedLink(from, to);
}

std::optional<LinkRate> BlockCostSource::listedProcessLink(const DeviceId& from,
                                                           const DeviceId& to) const {
  const auto link = m_processLinks.find({from.value, to.value});
  if (link != m_processLinks.end()) return changed(link->second);
  const bool workers = plan::isCpuWorker(realDevice(from)) && plan::isCpuWorker(realDevice(to));
  return workers && m_anyProcessLink ? std::optional(changed(*m_anyProcessLink)) : std::nullopt;
}

LinkRate BlockCostSource::linkOfProcesses(const DeviceId& from, const DeviceId& to) const {
  if (const auto message = listedProcessLink(from, to)) return *message;
  if (const auto listed = listedLinkOfProcesses(from, to)) return *listed;
  const bool workers = plan::isCpuWorker(realDevice(from)) && plan::isCpuWorker(realDevice(to));
  if (workers) {
    if (const auto sums = processSums()) return messageOf(*sums);
  }
  // In a file, a pair without a link is free.
  if (m_table != nullptr && m_table->basis == Basis::File) return {};
  m_estimatedProcesses = true;
  return changed(estimatedLinkOfProcesses(realDevice(from), realDevice(to)));
}

std::optional<ProcessSums> BlockCostSource::processSums() const {
  if (m_table == nullptr || !m_table->processSums || m_table->network) return std::nullopt;
  ProcessSums sums = *m_table->processSums;
  for (SumPoint& point : sums.points) {
    point.ns = std::llround(static_cast<double>(point.ns) * m_whatIf.links);
  }
  for (double* factor : {&sums.busyFactor, &sums.computeFactor}) {
    *factor = 1.0 + (*factor - 1.0) * m_whatIf.contention;
  }
  return sums;
}

double BlockCostSource::contention(int busy) const {
  if (m_table == nullptr || m_table->contention.empty()) return 1.0;
  return 1.0 + (contentionAt(m_table->contention, busy) - 1.0) * m_whatIf.contention;
}

double BlockCostSource::streamNs(const Place& place, double bytes) const {
  const auto [real, slowness] = resolved(place);
  return slowness * m_whatIf.ofDevice(place.device) * estimatedStreamNs(real, bytes);
}

}  // namespace stagelane::predict
