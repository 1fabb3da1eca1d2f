#include "engine/run/ranks/sum_probe.h"

#include <ATen/ops/zeros.h>

#include <algorithm>
#include <thread>
#include <torch/csrc/distributed/c10d/Backend.hpp>
#include <utility>
#include <vector>

#include "engine/run/device/worker.h"
#include "engine/run/ranks/rank_groups.h"
#include "engine/trace/recorder.h"

namespace stagelane::run {

struct SumProbe::Impl {
  std::vector<std::unique_ptr<RankStore>> stores;
  std::vector<std::shared_ptr<RankGroup>> groups;
  std::vector<at::Tensor> values;  ///< of each member; zeros, so that no sum overflows
};

SumProbe::SumProbe(std::unique_ptr<Impl> impl) : m_impl(std::move(impl)) {}

SumProbe::~SumProbe() = default;

Result<std::unique_ptr<SumProbe>> SumProbe::create(int members) {
  auto impl = std::make_unique<Impl>();
  impl->stores = RankStore::inProcess(members);
  impl->groups.resize(impl->stores.size());
  std::vector<Status> outcomes(impl->stores.size());
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < impl->stores.size(); ++i) {
    threads.emplace_back([&, i] {
      std::vector<int> all;
      for (int rank = 0; rank < members; ++rank) all.push_back(rank);
      auto group = RankGroup::create(*impl->stores[i], "sum probe", std::move(all), {});
      if (group) {
        impl->groups[i] = std::move(*group);
      } else {
        outcomes[i] = tl::make_unexpected(group.error());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const Status& outcome : outcomes) STAGELANE_CHECK(outcome);
  impl->values.resize(impl->groups.size());
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
      works.push_back(m_impl->groups[i]->backend()->allreduce(given[i], {}));
    }
    for (const auto& work : works) work->wait();
    took = trace::monotonicNs() - startNs;
    return {};
  }));
  return took;
}

}  // namespace stagelane::run
