#pragma once

/// Ranks as threads of the test program, over one store in memory.

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "engine/run/ranks/rank_groups.h"
#include "engine/run/ranks/rank_store.h"

namespace stagelane::run {

inline constexpr TimeNs kSecondNs = 1'000'000'000;
inline constexpr TimeNs kMillisecondNs = 1'000'000;

/// Runs `body` once for each rank, each in its thread.
inline void asRanks(int size, const std::function<void(RankStore&)>& body) {
  const std::vector<std::unique_ptr<RankStore>> stores = RankStore::inProcess(size);
  std::vector<std::thread> threads;
  for (const auto& store : stores) threads.emplace_back([&body, &store] { body(*store); });
  for (std::thread& thread : threads) thread.join();
}

/// A group of all ranks.
inline std::shared_ptr<RankGroup> groupOfAll(RankStore& store, const std::string& name = "all",
                                             TimeNs limitNs = 20 * kSecondNs) {
  std::vector<int> members;
  for (int rank = 0; rank < store.size(); ++rank) members.push_back(rank);
  RankGroupOptions options;
  options.limitNs = limitNs;
  auto group = RankGroup::create(store, name, std::move(members), options);
  EXPECT_TRUE(group) << describe(group.error());
  return group ? *group : nullptr;
}

}  // namespace stagelane::run
