#include "engine/run/ranks/rank_mail.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/full.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "engine/run/ranks/mail_frames.h"
#include "engine/run/ranks/mail_layout.h"
#include "engine/trace/recorder.h"
#include "tests/engine/run/ranks/rank_threads.h"

namespace stagelane::run {
namespace {

using ::testing::HasSubstr;

/// Runs `body` on each rank with a mail over all ranks; all end together.
void withMail(int size, const std::function<void(int rank, RankMail& mail)>& body) {
  asRanks(size, [&](RankStore& store) {
    const auto group = groupOfAll(store);
    ASSERT_NE(group, nullptr);
    ASSERT_TRUE(group->barrier());
    RankMail mail(group);
    body(store.rank(), mail);
    EXPECT_TRUE(mail.flush());
    ASSERT_TRUE(store.set("done/" + std::to_string(store.rank()), ""));
    std::vector<std::string> all;
    for (int rank = 0; rank < size; ++rank) all.push_back("done/" + std::to_string(rank));
    EXPECT_TRUE(store.wait(all, 30 * kSecondNs));
  });
}

at::Tensor filled(double value, std::int64_t count = 4) { return at::full({count}, value); }

double firstOf(const Result<Mail>& mail) {
  if (!mail) ADD_FAILURE() << describe(mail.error());
  return mail ? mail->tensor.flatten()[0].item<double>() : -1;
}

TEST(RankMail, TensorsArriveByTagInAnyOrder) {
  withMail(2, [](int rank, RankMail& mail) {
    if (rank == 0) {
      for (int tag = 0; tag < 5; ++tag) ASSERT_TRUE(mail.post(1, tag, filled(tag), 7));
    } else {
      for (int tag = 4; tag >= 0; --tag) EXPECT_EQ(firstOf(mail.take(0, tag)), tag);
    }
  });
}

TEST(RankMail, MessagesOfOneTagKeepTheirOrder) {
  withMail(2, [](int rank, RankMail& mail) {
    for (int i = 0; i < 50 && rank == 0; ++i) ASSERT_TRUE(mail.post(1, 3, filled(i), 0));
    for (int i = 0; i < 50 && rank == 1; ++i) EXPECT_EQ(firstOf(mail.take(0, 3)), i);
  });
}

TEST(RankMail, BothMaySendFirst) {
  withMail(2, [](int rank, RankMail& mail) {
    ASSERT_TRUE(mail.post(1 - rank, 0, filled(rank, 1 << 20), 0));
    EXPECT_EQ(firstOf(mail.take(1 - rank, 0)), 1 - rank);
  });
}

TEST(RankMail, PostDoesNotWaitForTheReceiver) {
  std::atomic<bool> posted{false};
  withMail(2, [&](int rank, RankMail& mail) {
    if (rank == 0) {
      for (int i = 0; i < 8; ++i) ASSERT_TRUE(mail.post(1, i, filled(i, 1 << 18), 0));
      posted = true;
      EXPECT_EQ(firstOf(mail.take(1, 0)), 9);
    } else {
      while (!posted) std::this_thread::yield();
      ASSERT_TRUE(mail.post(0, 0, filled(9), 0));
      EXPECT_EQ(firstOf(mail.take(0, 7)), 7);
    }
  });
}

TEST(RankMail, AllLayoutsArriveAsTheyWere) {
  const at::Tensor image = at::arange(120, at::kDouble).view({2, 3, 4, 5});
  const std::vector<at::Tensor> tensors = {
      image.contiguous(at::MemoryFormat::ChannelsLast), image.select(3, 2),
      image.slice(1, 0, 1).expand({2, 3, 4, 5}), at::empty({0}), image.gt(3.0)};
  withMail(2, [&](int rank, RankMail& mail) {
    for (const at::Tensor& tensor : tensors) {
      if (rank == 0) {
        ASSERT_TRUE(mail.post(1, 0, tensor, 0));
        continue;
      }
      const auto arrived = mail.take(0, 0);
      ASSERT_TRUE(arrived) << describe(arrived.error());
      EXPECT_EQ(arrived->tensor.strides(), tensor.strides());
      EXPECT_TRUE(at::equal(arrived->tensor, tensor));
    }
  });
}

TEST(RankMail, ValuesOfAllSizesArriveInFramesAndInPlace) {
  constexpr auto kFrame = static_cast<std::int64_t>(kFrameBytes);
  constexpr auto kInFirst = kFrame - static_cast<std::int64_t>(sizeof(MailHeader));
  constexpr auto kInAll = static_cast<std::int64_t>(kFramesAhead) * kFrame;
  std::vector<std::int64_t> sizes;
  for (const std::int64_t edge : {std::int64_t{0}, kInFirst, kInFirst + kFrame, kInAll,
                                  kInAll - static_cast<std::int64_t>(sizeof(MailHeader))}) {
    for (const std::int64_t bytes : {edge - 1, edge, edge + 1}) {
      if (bytes >= 0) sizes.push_back(bytes);
    }
  }
  const auto valuesOf = [](std::int64_t bytes) {
    return at::arange(bytes, at::kLong).remainder(251).to(at::kByte);
  };
  withMail(2, [&](int rank, RankMail& mail) {
    // All before the first is taken: more than the frames that were asked for.
    for (const std::int64_t bytes : sizes) {
      if (rank == 0) {
        ASSERT_TRUE(mail.post(1, bytes, valuesOf(bytes), 0));
      }
    }
    for (const std::int64_t bytes : sizes) {
      if (rank == 0) continue;
      const auto arrived = mail.take(0, bytes);
      ASSERT_TRUE(arrived) << describe(arrived.error());
      EXPECT_TRUE(at::equal(arrived->tensor, valuesOf(bytes))) << bytes;
    }
  });
}

TEST(RankMail, KeepsThePostedTensorAlive) {
  withMail(2, [](int rank, RankMail& mail) {
    if (rank == 0) {
      for (int i = 0; i < 20; ++i) ASSERT_TRUE(mail.post(1, i, filled(i, 100'000), 0));
      for (int i = 0; i < 20; ++i) filled(-1, 100'000);  // would reuse freed memory
    } else {
      for (int i = 0; i < 20; ++i) {
        const auto arrived = mail.take(0, i);
        ASSERT_TRUE(arrived);
        EXPECT_TRUE(at::equal(arrived->tensor, filled(i, 100'000)));
      }
    }
  });
}

TEST(RankMail, TellsWhenTheDataWasReadyAndWhenItArrived) {
  withMail(2, [](int rank, RankMail& mail) {
    if (rank == 0) {
      ASSERT_TRUE(mail.post(1, 0, filled(1, 1000), 12345));
      return;
    }
    const TimeNs startNs = trace::monotonicNs();
    const auto arrived = mail.take(0, 0);
    ASSERT_TRUE(arrived);
    EXPECT_EQ(arrived->readyNs, 12345);
    EXPECT_EQ(arrived->bytes, 4000);
    EXPECT_LE(arrived->arrivedNs, trace::monotonicNs());
    EXPECT_GT(arrived->arrivedNs, startNs - 30 * kSecondNs);
  });
}

TEST(RankMail, SeveralPeersAtOnce) {
  withMail(4, [](int rank, RankMail& mail) {
    for (int round = 0; round < 10; ++round) {
      for (int peer = 0; peer < 4; ++peer) {
        if (peer == rank) continue;
        ASSERT_TRUE(mail.post(peer, round, filled(10 * rank + round), 0));
      }
    }
    for (int round = 9; round >= 0; --round) {
      for (int peer = 0; peer < 4; ++peer) {
        if (peer == rank) continue;
        EXPECT_EQ(firstOf(mail.take(peer, round)), 10 * peer + round);
      }
    }
  });
}

TEST(RankMail, ArrivalsAreAnnounced) {
  asRanks(2, [](RankStore& store) {
    std::atomic<int> entered{0};
    std::atomic<std::int64_t> announced{-1};
    RankMailOptions options;
    options.enterThread = [&] { ++entered; };
    options.onArrival = [&](int, std::int64_t tag) { announced = tag; };
    const auto group = groupOfAll(store);
    ASSERT_NE(group, nullptr);
    RankMail mail(group, options);
    EXPECT_FALSE(mail.arrived(1 - store.rank(), 5));
    ASSERT_TRUE(mail.post(1 - store.rank(), 5, filled(1), 0));
    while (announced != 5) std::this_thread::yield();
    EXPECT_TRUE(mail.arrived(1 - store.rank(), 5));
    EXPECT_FALSE(mail.arrived(1 - store.rank(), 4));
    EXPECT_EQ(entered, 1);
    EXPECT_EQ(firstOf(mail.take(1 - store.rank(), 5)), 1);
    EXPECT_TRUE(mail.flush());
    EXPECT_TRUE(store.set("done" + std::to_string(store.rank()), ""));
    EXPECT_TRUE(store.wait({"done0", "done1"}, 20 * kSecondNs));
  });
}

TEST(RankMail, AnAbortEndsAWaitAtOnce) {
  asRanks(2, [](RankStore& store) {
    const auto group = groupOfAll(store);
    ASSERT_NE(group, nullptr);
    RankMail mail(group);
    std::atomic<TimeNs> abortedNs{0};
    std::thread other([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      abortedNs = trace::monotonicNs();
      mail.abort();
    });
    const auto arrived = mail.take(1 - store.rank(), 0);
    const TimeNs endedNs = trace::monotonicNs();
    other.join();
    ASSERT_FALSE(arrived);
    EXPECT_LT(endedNs - abortedNs, 5 * kSecondNs);  // a limit of 20 s would end it too
    EXPECT_FALSE(mail.post(1 - store.rank(), 0, filled(1), 0));
  });
}

TEST(RankMail, AStopEndsATake) {
  withMail(2, [](int rank, RankMail& mail) {
    const auto arrived = mail.take(1 - rank, 0, [] { return true; });
    ASSERT_FALSE(arrived);
    EXPECT_THAT(arrived.error().message, HasSubstr("stopped"));
  });
}

TEST(RankMail, APeerThatLeavesEndsAWaitForIt) {
  asRanks(2, [](RankStore& store) {
    {
      auto group = groupOfAll(store);
      ASSERT_NE(group, nullptr);
      ASSERT_TRUE(group->barrier());
      RankMail mail(group);
      if (store.rank() == 0) {
        const auto arrived = mail.take(1, 0);
        ASSERT_FALSE(arrived);
        EXPECT_THAT(arrived.error().message, HasSubstr("rank 1"));
      } else {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
      }
    }
  });
}

TEST(RankMail, RefusesItselfAndStrangers) {
  withMail(2, [](int rank, RankMail& mail) {
    for (const int to : {rank, -1, 2}) {
      EXPECT_FALSE(mail.post(to, 0, filled(1), 0));
      EXPECT_FALSE(mail.take(to, 0));
    }
  });
}

}  // namespace
}  // namespace stagelane::run
