#pragma once

/// Ranks as threads of the test program, over one store in memory.

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "engine/run/ranks/rank_store.h"

namespace stagelane::run {

inline constexpr TimeNs kSecondNs = 1'000'000'000;
inline constexpr TimeNs kMillisecondNs = 1'000'000;

/// Runs `body` once for each rank, each in its thread.
inline void asRanks(int size, const std::function<void(RankStore&)>& body) {
  const std::vector<std::unique_ptr<RankStore>> stores = RankStore::inProcess(size);
  std::vector<std::thread> threads;
  for (const auto& store : stores) {
    threads.emplace_back([&body, &store] { body(*store); });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace stagelane::run
