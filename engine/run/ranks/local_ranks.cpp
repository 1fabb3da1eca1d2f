#include "engine/run/ranks/local_ranks.h"

#include <numeric>
#include <thread>
#include <utility>

namespace stagelane::run {

Result<LocalRanks> LocalRanks::create(const std::string& name, int ranks) {
  LocalRanks local;
  local.stores = RankStore::inProcess(ranks);
  local.groups.resize(local.stores.size());
  std::vector<int> members(local.stores.size());
  std::iota(members.begin(), members.end(), 0);
  std::vector<Status> outcomes(local.stores.size());
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < local.stores.size(); ++i) {
    threads.emplace_back([&, i] {
      auto group = RankGroup::create(*local.stores[i], name, members, {});
      if (group) {
        local.groups[i] = std::move(*group);
      } else {
        outcomes[i] = tl::make_unexpected(group.error());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const Status& outcome : outcomes) STAGELANE_CHECK(outcome);
  return local;
}

}  // namespace stagelane::run
