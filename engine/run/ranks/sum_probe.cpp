#include "engine/run/ranks/sum_probe.h"

#include <ATen/ops/zeros.h>

#include <algorithm>
#include <torch/csrc/distributed/c10d/Backend.hpp>
#include <utility>
#include <vector>

#include "engine/base/quantile.h"
#include "engine/run/device/worker.h"
#include "engine/run/ranks/local_ranks.h"
#include "engine/trace/recorder.h"

namespace stagelane::run {
namespace {

/// All members take the same number.
int timesOf(Bytes bytes) {
  constexpr Bytes kMiB = 1 << 20;
  return bytes < kMiB ? 31 : bytes < 8 * kMiB ? 15 : 7;
}

}  // namespace

Result<TimeNs> timeSums(RankGroup& group, Bytes bytes) {
  const std::int64_t count = std::max<Bytes>(1, bytes / static_cast<Bytes>(sizeof(float)));
  std::vector<double> times;
  STAGELANE_CHECK(guarded("an all-reduce", [&]() -> Status {
    std::vector<at::Tensor> values{at::zeros({count}, at::kFloat)};
    for (int i = 0; i <= timesOf(bytes); ++i) {
      const TimeNs startNs = trace::monotonicNs();
      group.backend()->allreduce(values, {})->wait();
      if (i > 0) times.push_back(static_cast<double>(trace::monotonicNs() - startNs));
    }
    return {};
  }));
  return static_cast<TimeNs>(quantile(times, 0.5));
}

struct SumProbe::Impl {
  LocalRanks ranks;
  std::vector<at::Tensor> values;  ///< of each member; zeros, so that no sum overflows
};

SumProbe::SumProbe(std::unique_ptr<Impl> impl) : m_impl(std::move(impl)) {}

SumProbe::~SumProbe() = default;

Result<std::unique_ptr<SumProbe>> SumProbe::create(int members) {
  auto impl = std::make_unique<Impl>();
  STAGELANE_TRY(ranks, LocalRanks::create("sum probe", members));
  impl->ranks = std::move(*ranks);
  impl->values.resize(impl->ranks.groups.size());
  return std::unique_ptr<SumProbe>(new SumProbe(std::move(impl)));
}

Result<TimeNs> SumProbe::sum(Bytes bytes) {
  const std::int64_t count = std::max<Bytes>(1, bytes / static_cast<Bytes>(sizeof(float)));
  TimeNs took = 0;
  STAGELANE_CHECK(guarded("an all-reduce", [&]() -> Status {
    for (at::Tensor& value : m_impl->values) {
      if (!value.defined() || value.numel() < count) value = at::zeros({count}, at::kFloat);
    }
    std::vector<std::vector<at::Tensor>> given;
    for (const at::Tensor& value : m_impl->values) given.push_back({value.narrow(0, 0, count)});
    std::vector<c10::intrusive_ptr<c10d::Work>> works;
    const TimeNs startNs = trace::monotonicNs();
    for (std::size_t i = 0; i < given.size(); ++i) {
      works.push_back(m_impl->ranks.groups[i]->backend()->allreduce(given[i], {}));
    }
    for (const auto& work : works) work->wait();
    took = trace::monotonicNs() - startNs;
    return {};
  }));
  return took;
}

}  // namespace stagelane::run
