#include "engine/run/ranks/rank_groups.h"

#include <ATen/ops/empty.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroup.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#include <utility>

#include "engine/base/text.h"
#include "engine/run/device/worker.h"
#include "engine/run/ranks/c10d_share.h"
#include "engine/run/ranks/running_time.h"
#include "engine/run/ranks/talker.h"

namespace stagelane::run {
namespace {

using Gloo = c10d::ProcessGroupGloo;
using std::chrono::milliseconds;

/// Tag that no message of a group has, see `RankGroup::abort`.
constexpr int kAbortTag = 0x7fff0001;

milliseconds millisecondsOf(TimeNs durationNs) {
  return std::max(milliseconds(1),
                  std::chrono::duration_cast<milliseconds>(std::chrono::nanoseconds(durationNs)));
}

struct Made {
  std::shared_ptr<c10d::Backend> backend;
  std::shared_ptr<c10d::ProcessGroup> front;
};

Made makeGloo(const std::shared_ptr<c10d::Store>& store, const std::string& name, int rank,
              int size, const RankGroupOptions& options) {
  auto glooOptions = Gloo::Options::create(millisecondsOf(options.limitNs));
  glooOptions->devices.push_back(Gloo::createDeviceForHostname(options.address));
  glooOptions->threads = options.threads;
  const auto shared = intrusiveFrom(store);
  c10::intrusive_ptr<c10d::Backend> gloo =
      c10::make_intrusive<Gloo>(shared, rank, size, glooOptions);
  auto front = c10::make_intrusive<c10d::ProcessGroup>(shared, rank, size);
  front->setBackend(c10::DeviceType::CPU, c10d::ProcessGroup::BackendType::GLOO, gloo);
  front->setDefaultBackend(c10d::ProcessGroup::BackendType::GLOO);
  front->setGroupName("stagelane/" + name);
  return {sharedFrom(std::move(gloo)), sharedFrom(std::move(front))};
}

std::string listOf(const std::vector<int>& members) {
  std::vector<std::string> words;
  for (const int member : members) words.push_back(std::to_string(member));
  return joined(words);
}

}  // namespace

struct RankGroup::Impl {
  Made made;
  TimeNs limitNs = 0;
  std::atomic<bool> aborted{false};
};

RankGroup::RankGroup(std::string name, int rank, std::vector<int> members,
                     std::unique_ptr<Impl> impl)
    : m_name(std::move(name)),
      m_rank(rank),
      m_members(std::move(members)),
      m_impl(std::move(impl)) {}

RankGroup::~RankGroup() = default;

Result<std::shared_ptr<RankGroup>> RankGroup::create(RankStore& store, const std::string& name,
                                                     std::vector<int> members,
                                                     const RankGroupOptions& options,
                                                     const StopCheck& stopped) {
  const auto own = std::find(members.begin(), members.end(), store.rank());
  if (own == members.end()) {
    return fail(ErrorCode::Invalid, "rank " + std::to_string(store.rank()) +
                                        " is not a member of group '" + name + "'");
  }
  const int rank = static_cast<int>(own - members.begin());
  RankGroupOptions actual = options;
  if (actual.address.empty()) actual.address = store.ownAddress();
  STAGELANE_TRY(connection, store.connect("group/" + name));
  const std::string what = "group '" + name + "' of ranks " + listOf(members);
  constexpr TimeNs kGraceNs = 2'000'000'000;  // Gloo's own limit comes first and says more
  Talker talker("rank group");
  const auto make = [connection = std::move(*connection), name, rank,
                     size = static_cast<int>(members.size()), actual]() -> Result<Made> {
    return makeGloo(connection, name, rank, size, actual);
  };
  STAGELANE_TRY(made, talker.call<Made>(what, actual.limitNs + kGraceNs, make, stopped));
  auto impl = std::make_unique<Impl>();
  impl->made = std::move(*made);
  impl->limitNs = actual.limitNs;
  return std::shared_ptr<RankGroup>(new RankGroup(name, rank, std::move(members), std::move(impl)));
}

const std::shared_ptr<c10d::Backend>& RankGroup::backend() const { return m_impl->made.backend; }

const std::shared_ptr<c10d::ProcessGroup>& RankGroup::front() const { return m_impl->made.front; }

bool RankGroup::aborted() const { return m_impl->aborted; }

Status RankGroup::barrier(const StopCheck& stopped) {
  constexpr auto kPause = std::chrono::microseconds(200);
  return guarded("barrier of group '" + m_name + "'", [&]() -> Status {
    const c10::intrusive_ptr<c10d::Work> work = backend()->barrier(c10d::BarrierOptions());
    while (!work->isCompleted()) {
      if (stopped && stopped()) {
        abort();
        return fail(ErrorCode::EngineFailure,
                    "stopped while waiting for the other ranks of group '" + m_name + "'");
      }
      std::this_thread::sleep_for(kPause);
    }
    work->wait();  // throws what went wrong
    return {};
  });
}

void RankGroup::abort() {
  if (m_impl->aborted.exchange(true)) return;
  if (size() == 1) return;
  // Gloo has no way to end a collective operation in progress. But a receive that exceeds its time
  // limit closes the connections of all members, and with that ends everything else.
  std::vector<at::Tensor> nothing{at::empty({1})};
  try {
    const auto work = backend()->recv(nothing, m_rank == 0 ? 1 : 0, kAbortTag);
    work->wait(milliseconds(1));
  } catch (const std::exception&) {
    // As intended.
  }
}

}  // namespace stagelane::run
