#include "engine/run/ranks/mail_probe.h"

#include <gtest/gtest.h>

#include <thread>

#include "engine/run/ranks/local_ranks.h"

namespace stagelane::run {
namespace {

TEST(MailProbe, TimesMessagesOfSeveralSizes) {
  auto ranks = LocalRanks::create("test", 2);
  ASSERT_TRUE(ranks) << describe(ranks.error());
  RankMail first(ranks->groups[0]);
  RankMail second(ranks->groups[1]);
  Status returned;
  std::thread other([&] { returned = returnMessages(second, 0); });
  const auto times = timeMessages(first, 1);
  other.join();
  ASSERT_TRUE(returned) << describe(returned.error());
  ASSERT_TRUE(times) << describe(times.error());
  ASSERT_GE(times->size(), 3U);
  for (const MessageTime& time : *times) EXPECT_GT(time.ns, 0) << time.bytes;
  EXPECT_GT(times->back().bytes, Bytes{1} << 20) << "larger than what travels in frames";
  for (std::size_t i = 1; i < times->size(); ++i) EXPECT_GE((*times)[i].ns, (*times)[i - 1].ns);
}

TEST(MailProbe, EndsWhenItIsStopped) {
  auto ranks = LocalRanks::create("test", 2);
  ASSERT_TRUE(ranks) << describe(ranks.error());
  RankMail first(ranks->groups[0]);
  RankMail second(ranks->groups[1]);
  EXPECT_FALSE(timeMessages(first, 1, [] { return true; })) << "nobody returns them";
}

}  // namespace
}  // namespace stagelane::run
