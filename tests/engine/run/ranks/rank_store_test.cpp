#include "engine/run/ranks/rank_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <thread>

#include "engine/run/ranks/sockets.h"
#include "engine/trace/recorder.h"
#include "tests/engine/run/ranks/child_role.h"
#include "tests/engine/run/ranks/rank_threads.h"

namespace stagelane::run {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

World worldOf(int rank, int size, int port) {
  World world;
  world.rank = rank;
  world.size = size;
  world.address = "127.0.0.1";
  world.port = port;
  return world;
}

std::unique_ptr<RankStore> opened(const World& world, RankStoreOptions options = {}) {
  auto store = RankStore::open(world, std::move(options));
  EXPECT_TRUE(store) << describe(store.error());
  return store ? std::move(*store) : nullptr;
}

int freePort() {
  const auto socket = listenOn("127.0.0.1", 0);
  ::close(socket->descriptor);
  return socket->port;
}

/// A child that serves a store until it is killed.
const ChildRole kServer("serve store", [] {
  const auto store = RankStore::open(worldOf(0, 2, std::atoi(std::getenv("PORT"))));
  if (!store) return 1;
  for (;;) ::pause();
});

/// The local addresses in a table of listening sockets, as /proc/net/tcp writes them.
std::string listenersOn(int port, const char* table) {
  std::ifstream file(table);
  std::string line;
  std::ostringstream end;
  end.setf(std::ios::uppercase);
  end << ":" << std::hex << std::uppercase;
  end.width(4);
  end.fill('0');
  end << port;
  std::string found;
  while (std::getline(file, line)) {
    std::istringstream words(line);
    std::string number, local, remote, state;
    words >> number >> local >> remote >> state;
    if (state == "0A" && local.size() > 5 && local.substr(local.size() - 5) == end.str()) {
      found += local.substr(0, local.size() - 5) + " ";
    }
  }
  return found;
}

TEST(RankStore, SharesValuesBetweenRanks) {
  const auto first = opened(worldOf(0, 2, 0));
  ASSERT_NE(first, nullptr);
  const auto other = opened(worldOf(1, 2, first->world().port));
  ASSERT_NE(other, nullptr);
  EXPECT_EQ(other->tryGet("plan").value(), std::nullopt);
  ASSERT_TRUE(first->set("plan", std::string("a\0b", 3)));
  EXPECT_EQ(other->tryGet("plan").value(), std::string("a\0b", 3));
  EXPECT_EQ(other->get("plan", kSecondNs).value(), std::string("a\0b", 3));
  ASSERT_TRUE(other->remove("plan"));
  ASSERT_TRUE(other->remove("plan"));
  EXPECT_EQ(first->tryGet("plan").value(), std::nullopt);
  EXPECT_EQ(other->ownAddress(), "127.0.0.1");
}

TEST(RankStore, ListensOnlyOnTheGivenAddress) {
  const auto store = opened(worldOf(0, 1, 0));
  ASSERT_NE(store, nullptr);
  EXPECT_EQ(listenersOn(store->world().port, "/proc/net/tcp"), "0100007F ");
  EXPECT_EQ(listenersOn(store->world().port, "/proc/net/tcp6"), "");
}

TEST(RankStore, NamesAPortThatIsInUse) {
  const auto taken = listenOn("127.0.0.1", 0);
  ASSERT_TRUE(taken);
  const auto store = RankStore::open(worldOf(0, 1, taken->port));
  ::close(taken->descriptor);
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().code, ErrorCode::Invalid);
  EXPECT_THAT(store.error().message, HasSubstr("port " + std::to_string(taken->port)));
  EXPECT_THAT(store.error().message, HasSubstr("in use"));
}

TEST(RankStore, RefusesAnAddressOfAnotherHost) {
  World world = worldOf(0, 1, 0);
  world.address = "192.0.2.1";
  const auto store = RankStore::open(world);
  ASSERT_FALSE(store);
  EXPECT_THAT(store.error().message, HasSubstr("192.0.2.1 is not an address of this host"));
}

TEST(RankStore, AFollowerWaitsForRankZero) {
  const int port = freePort();
  std::unique_ptr<RankStore> follower;
  std::thread thread([&] { follower = opened(worldOf(1, 2, port)); });
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  const auto first = opened(worldOf(0, 2, port));
  thread.join();
  ASSERT_NE(follower, nullptr);
  ASSERT_TRUE(follower->set("a", "1"));
  EXPECT_EQ(first->tryGet("a").value(), "1");
}

TEST(RankStore, AFollowerWithoutRankZeroEndsWithTheAddress) {
  RankStoreOptions options;
  options.connectLimitNs = 200 * kMillisecondNs;
  const int port = freePort();
  const auto store = RankStore::open(worldOf(1, 2, port), options);
  ASSERT_FALSE(store);
  EXPECT_THAT(store.error().message, HasSubstr("127.0.0.1:" + std::to_string(port)));
}

TEST(RankStore, AStopEndsTheWaitForRankZero) {
  RankStoreOptions options;
  options.stopped = [] { return true; };
  const auto store = RankStore::open(worldOf(1, 2, freePort()), options);
  ASSERT_FALSE(store);
  EXPECT_THAT(store.error().message, HasSubstr("stopped"));
}

TEST(RankStore, WaitsForKeysAndNamesThoseThatAreMissing) {
  const auto store = opened(worldOf(0, 1, 0));
  ASSERT_NE(store, nullptr);
  ASSERT_TRUE(store->set("a", ""));
  EXPECT_THAT(store->missing({"a", "b", "c"}).value(), ElementsAre("b", "c"));
  const Status waited = store->wait({"a", "b"}, 50 * kMillisecondNs);
  ASSERT_FALSE(waited);
  EXPECT_THAT(waited.error().message, HasSubstr("'b'"));
  EXPECT_THAT(waited.error().message, ::testing::Not(HasSubstr("'a'")));
  std::thread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    EXPECT_TRUE(store->set("b", ""));
  });
  EXPECT_TRUE(store->wait({"a", "b"}, 10 * kSecondNs));
  later.join();
}

TEST(RankStore, AStopEndsAWait) {
  const auto store = opened(worldOf(0, 1, 0));
  ASSERT_NE(store, nullptr);
  std::atomic<bool> stop{false};
  std::thread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    stop = true;
  });
  const auto value = store->get("never", 60 * kSecondNs, [&] { return stop.load(); });
  later.join();
  ASSERT_FALSE(value);
  EXPECT_THAT(value.error().message, HasSubstr("stopped"));
}

TEST(RankStore, ARestartDoesNotSeeEarlierKeys) {
  const auto first = opened(worldOf(0, 2, 0));
  ASSERT_NE(first, nullptr);
  World again = worldOf(1, 2, first->world().port);
  again.restart = 1;
  const auto other = opened(again);
  ASSERT_NE(other, nullptr);
  ASSERT_TRUE(first->set("a", "1"));
  EXPECT_EQ(other->tryGet("a").value(), std::nullopt);
}

TEST(RankStore, TheLaunchersStoreIsOnlyUsed) {
  const auto agent = opened(worldOf(0, 2, 0));
  ASSERT_NE(agent, nullptr);
  World world = worldOf(0, 2, agent->world().port);
  world.agentStore = true;
  EXPECT_NE(opened(world), nullptr);
}

TEST(RankStore, RefusesAValueThatIsTooLarge) {
  const auto store = opened(worldOf(0, 1, 0));
  ASSERT_NE(store, nullptr);
  const Status set = store->set("large", std::string(RankStore::kLargestValue + 1, 'x'));
  ASSERT_FALSE(set);
  EXPECT_THAT(set.error().message, HasSubstr("at most 8.0 MiB"));
  EXPECT_TRUE(store->set("small", "x"));
}

TEST(RankStore, TheHostOfTheStoreLeavesLast) {
  const auto first = opened(worldOf(0, 2, 0));
  ASSERT_NE(first, nullptr);
  const auto other = opened(worldOf(1, 2, first->world().port));
  ASSERT_NE(other, nullptr);
  EXPECT_FALSE(first->leave(50 * kMillisecondNs));
  EXPECT_TRUE(other->leave(0));
  EXPECT_TRUE(first->leave(10 * kSecondNs));
}

TEST(RankStore, ACallToAStoppedStoreEndsAfterItsLimit) {
  const int port = freePort();
  const Child server("serve store", {"PORT=" + std::to_string(port)});
  RankStoreOptions options;
  options.callLimitNs = 300 * kMillisecondNs;
  auto store = opened(worldOf(1, 2, port), options);
  ASSERT_NE(store, nullptr);
  ASSERT_TRUE(store->set("a", "1"));
  server.stop();
  const TimeNs startNs = trace::monotonicNs();
  const auto value = store->tryGet("a");
  ASSERT_FALSE(value);
  EXPECT_THAT(value.error().message, HasSubstr("no answer within 300 ms"));
  EXPECT_TRUE(store->stuck());
  EXPECT_FALSE(store->set("a", "2"));
  store.reset();
  EXPECT_LT(trace::monotonicNs() - startNs, 20 * kSecondNs);
}

TEST(RankStore, AKilledStoreIsAnError) {
  const int port = freePort();
  Child server("serve store", {"PORT=" + std::to_string(port)});
  const auto store = opened(worldOf(1, 2, port));
  ASSERT_NE(store, nullptr);
  server.signal(SIGKILL);
  server.wait();
  const auto value = store->tryGet("a");
  ASSERT_FALSE(value);
  EXPECT_THAT(value.error().message, HasSubstr("the store at 127.0.0.1:" + std::to_string(port)));
  EXPECT_FALSE(store->stuck());
}

TEST(RankStore, InMemoryIsSharedByThreads) {
  asRanks(3, [](RankStore& store) {
    ASSERT_TRUE(store.set(std::to_string(store.rank()), "here"));
    EXPECT_EQ(store.get(std::to_string((store.rank() + 1) % 3), 10 * kSecondNs).value(), "here");
  });
}

}  // namespace
}  // namespace stagelane::run
