#include "engine/run/calibrate/calibration_samples.h"
#include "engine/base/quantile.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

namespace stagelane::run {
namespace {

TimeNs median(const std::vector<double>& values) {
  return static_cast<TimeNs>(std::llround(quantile(values, 0.5)));
}

double number(TimeNs ns) { return static_cast<double>(ns); }

/// Additional time of later passes of a step over the first, across all sizes.
TimeNs accumulation(const KindSamples& samples, std::size_t block) {
  std::vector<double> longer;
  for (const auto& [size, passes] : samples.passes) {
    for (std::size_t i = 0; i + 1 < passes.size(); ++i) {
      const PassTimes& one = passes[i];
      const PassTimes& next = passes[i + 1];
      if (one.kind == BackwardKind::Whole && next.kind == BackwardKind::Whole && !one.accumulates &&
          next.accumulates) {
        longer.push_back(number(next.backward[block] - one.backward[block]));
      }
    }
  }
  return std::max<TimeNs>(0, median(longer));
}

predict::CostPoint point(const std::vector<PassTimes>& passes, std::size_t block,
                         TimeNs accumulateNs) {
  std::vector<double> forward, backward, input, weight, both;
  for (const PassTimes& pass : passes) {
    const double added = pass.accumulates ? number(accumulateNs) : 0.0;
    if (pass.kind == BackwardKind::Whole) {
      forward.push_back(number(pass.forward[block]));
      backward.push_back(number(pass.backward[block]) - added);
      both.push_back(forward.back() + backward.back());
    } else if (block > 0) {
      input.push_back(number(pass.backward[block]));
      weight.push_back(number(pass.backwardWeight[block]) - added);
    }
  }
  predict::CostPoint result;
  result.forward = median(forward);
  result.backward = std::max<TimeNs>(0, median(backward));
  result.backwardInput = median(input);
  // The first block has no input gradient, so its weight half is its whole backward.
  result.backwardWeight = block == 0 ? result.backward : std::max<TimeNs>(0, median(weight));
  result.noise = relativeSpread(both);
  return result;
}

}  // namespace

double relativeSpread(const std::vector<double>& values) {
  const double middle = quantile(values, 0.5);
  return middle > 0.0 ? (quantile(values, 0.75) - quantile(values, 0.25)) / middle : 0.0;
}

double totalNs(const PassTimes& pass) {
  TimeNs sum = 0;
  for (const auto* times : {&pass.forward, &pass.backward, &pass.backwardWeight}) {
    sum = std::accumulate(times->begin(), times->end(), sum);
  }
  return number(sum);
}

double wholeNs(const KindSamples& samples, std::int64_t size, std::size_t block) {
  const auto found = samples.passes.find(size);
  std::vector<double> times;
  if (found != samples.passes.end()) {
    for (const PassTimes& pass : found->second) {
      if (pass.kind == BackwardKind::Whole) {
        times.push_back(number(pass.forward[block] + pass.backward[block]));
      }
    }
  }
  return quantile(times, 0.5);
}

std::vector<BlockRange> evenRanges(const std::vector<double>& blockNs, std::size_t ranges) {
  std::vector<BlockRange> answer;
  if (ranges == 0 || blockNs.size() < ranges) return answer;
  const double all = std::accumulate(blockNs.begin(), blockNs.end(), 0.0);
  double passed = 0.0;
  std::size_t first = 0;
  for (std::size_t block = 0; block < blockNs.size(); ++block) {
    passed += blockNs[block];
    const std::size_t left = ranges - answer.size() - 1;  // after this one
    const bool full =
        passed >= all * static_cast<double>(answer.size() + 1) / static_cast<double>(ranges);
    const bool mustEnd = blockNs.size() - block - 1 == left;
    if (left > 0 && (full || mustEnd)) {
      answer.push_back({first, block});
      first = block + 1;
    }
  }
  answer.push_back({first, blockNs.size() - 1});
  return answer;
}

std::vector<predict::BlockCosts> blockCosts(const KindSamples& samples,
                                            const std::vector<std::string>& names) {
  std::vector<predict::BlockCosts> answer;
  for (std::size_t block = 0; block < names.size(); ++block) {
    predict::BlockCosts costs;
    costs.name = names[block];
    if (samples.kind.cpu) {
      costs.threads = samples.kind.threads;
    } else {
      costs.device = samples.kind.device;
    }
    costs.accumulateNs = accumulation(samples, block);
    std::vector<double> optimizer;
    for (const std::vector<TimeNs>& visit : samples.optimizer) {
      optimizer.push_back(number(visit[block]));
    }
    costs.optimizerNs = median(optimizer);
    for (const auto& [size, passes] : samples.passes) {
      predict::CostPoint each = point(passes, block, costs.accumulateNs);
      each.samples = size;
      if (const auto weighed = samples.bytes.find(size); weighed != samples.bytes.end()) {
        each.savedBytes = weighed->second[block].savedBytes;
        each.temporaryBytes = weighed->second[block].temporaryBytes;
        each.outputBytes = weighed->second[block].outputBytes;
        each.memory = weighed->second[block].memory;
      }
      costs.points.push_back(each);
    }
    answer.push_back(std::move(costs));
  }
  return answer;
}

predict::CostTable costTable(const std::vector<KindSamples>& kinds,
                             std::vector<predict::LinkCost> links,
                             const std::vector<std::string>& blockNames) {
  predict::CostTable table;
  table.basis = predict::Basis::Calibrated;
  for (const KindSamples& kind : kinds) {
    std::vector<predict::BlockCosts> blocks = blockCosts(kind, blockNames);
    std::move(blocks.begin(), blocks.end(), std::back_inserter(table.blocks));
    if (!table.processSums) table.processSums = kind.sums;
  }
  table.links = std::move(links);
  const KindSamples& first = kinds.front();
  for (const auto& [samples, times] : first.loss) {
    predict::CostPoint loss;
    loss.samples = samples;
    loss.forward = median({times.begin(), times.end()});
    table.loss.push_back(loss);
  }
  table.actionOverheadNs =
      std::max<TimeNs>(0, median({first.overhead.begin(), first.overhead.end()}));
  for (const auto& [busy, factors] : first.contention) {
    table.contention[busy] = quantile(factors, 0.5);
  }
  return table;
}

}  // namespace stagelane::run
