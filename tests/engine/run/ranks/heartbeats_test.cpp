#include "engine/run/ranks/heartbeats.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <future>
#include <thread>

#include "engine/run/ranks/sockets.h"
#include "tests/engine/run/ranks/child_role.h"
#include "tests/engine/run/ranks/rank_threads.h"

namespace stagelane::run {
namespace {

using ::testing::HasSubstr;

HeartbeatOptions fast() { return {20 * kMillisecondNs, 1000 * kMillisecondNs, 20 * kSecondNs}; }

World worldOf(int rank, int port) {
  World world;
  world.rank = rank;
  world.size = 2;
  world.address = "127.0.0.1";
  world.port = port;
  return world;
}

/// A rank that beats until it is killed, or leaves after a while.
int beat(int rank, bool leaves) {
  const auto store = RankStore::open(worldOf(rank, std::atoi(std::getenv("PORT"))));
  if (!store) return 1;
  const auto beats = Heartbeats::start(**store, fast(), [](const RankLoss&) {});
  if (!beats) return 2;
  (*beats)->say("F of stage " + std::to_string(rank));
  if (!leaves) ::pause();
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  return (*beats)->end() ? 0 : 3;
}
const ChildRole kFollower("beat as rank 1", [] { return beat(1, false); });
const ChildRole kLeaver("leave as rank 1", [] { return beat(1, true); });
const ChildRole kHost("beat as rank 0", [] { return beat(0, false); });

/// Rank `rank` of two beside a child; waits for the first beat of the child.
struct Watched {
  std::promise<RankLoss> promise;
  std::future<RankLoss> loss = promise.get_future();
  std::unique_ptr<RankStore> store;
  std::unique_ptr<Child> child;
  std::unique_ptr<Heartbeats> beats;

  Watched(int rank, const std::string& role) {
    int port = 0;
    if (rank == 1) {
      const auto socket = listenOn("127.0.0.1", 0);
      port = socket->port;
      ::close(socket->descriptor);
      child = std::make_unique<Child>(role, std::vector{"PORT=" + std::to_string(port)});
    }
    auto opened = RankStore::open(worldOf(rank, port));
    EXPECT_TRUE(opened) << describe(opened.error());
    store = std::move(*opened);
    if (rank == 0) {
      child =
          std::make_unique<Child>(role, std::vector{"PORT=" + std::to_string(store->world().port)});
    }
    auto started =
        Heartbeats::start(*store, fast(), [this](const RankLoss& one) { promise.set_value(one); });
    EXPECT_TRUE(started) << describe(started.error());
    beats = std::move(*started);
    const auto other = static_cast<std::size_t>(1 - rank);
    for (int i = 0; i < 1000 && beats->states()[other].text.empty(); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    EXPECT_EQ(beats->states()[other].text, "F of stage " + std::to_string(1 - rank));
  }
  RankLoss waitForLoss() {
    EXPECT_EQ(loss.wait_for(std::chrono::seconds(20)), std::future_status::ready);
    return loss.get();
  }
};

TEST(Heartbeats, NoticeAKilledRank) {
  Watched watched(0, "beat as rank 1");
  watched.child->signal(SIGKILL);
  const RankLoss loss = watched.waitForLoss();
  EXPECT_EQ(loss.rank, 1);
  EXPECT_THAT(loss.reason, HasSubstr("gave no sign for 1"));
  EXPECT_TRUE(watched.beats->end());
}

TEST(Heartbeats, NoticeAStoppedRank) {
  Watched watched(0, "beat as rank 1");
  watched.child->stop();
  EXPECT_EQ(watched.waitForLoss().rank, 1);
}

TEST(Heartbeats, ARankThatLeavesIsNotLost) {
  Watched watched(0, "leave as rank 1");
  EXPECT_EQ(watched.child->wait(), 0);
  EXPECT_EQ(watched.loss.wait_for(std::chrono::milliseconds(1500)), std::future_status::timeout);
  EXPECT_TRUE(watched.beats->states()[1].left);
}

TEST(Heartbeats, NoticeThatTheStoreIsGone) {
  Watched watched(1, "beat as rank 0");
  watched.child->signal(SIGKILL);
  const RankLoss loss = watched.waitForLoss();
  EXPECT_EQ(loss.rank, 0);
  EXPECT_THAT(loss.reason, HasSubstr("store is gone"));
}

TEST(Heartbeats, NoticeAStoreThatDoesNotAnswer) {
  Watched watched(1, "beat as rank 0");
  watched.child->stop();
  const RankLoss loss = watched.waitForLoss();
  EXPECT_EQ(loss.rank, 0);
  EXPECT_THAT(loss.reason, HasSubstr("no answer"));
  EXPECT_FALSE(watched.beats->end());
  watched.child->signal(SIGCONT);  // lets the thread that was left behind end
}

TEST(Heartbeats, StatesAreSharedAndNobodyIsLost) {
  asRanks(3, [](RankStore& store) {
    const auto beats = Heartbeats::start(
        store, fast(), [](const RankLoss& loss) { ADD_FAILURE() << loss.reason; });
    ASSERT_TRUE(beats);
    (*beats)->say("step " + std::to_string(store.rank()));
    for (std::size_t rank = 0; rank < 3; ++rank) {
      const std::string expected = "step " + std::to_string(rank);
      for (int i = 0; i < 1000 && (*beats)->states()[rank].text != expected; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
      }
      EXPECT_EQ((*beats)->states()[rank].text, expected);
      EXPECT_GT((*beats)->states()[rank].seenNs, 0);
    }
    // A rank that has left tells nothing new.
    EXPECT_TRUE(store.set("seen" + std::to_string(store.rank()), ""));
    EXPECT_TRUE(store.wait({"seen0", "seen1", "seen2"}, 20 * kSecondNs));
    EXPECT_TRUE((*beats)->end());
  });
}

}  // namespace
}  // namespace stagelane::run
