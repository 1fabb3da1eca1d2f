#include "engine/record/asked_ranks.h"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/support/temporary_folder.h"

namespace stagelane::record {
namespace {

int ranksIn(const std::string& events) {
  const test::TemporaryFolder folder;
  std::ofstream(folder.path() / "events.jsonl") << events;
  return askedRanks(folder.path());
}

TEST(AskedRanks, AreThoseOfTheFirstEvent) {
  EXPECT_EQ(ranksIn("{\"event\":\"started\",\"run\":{\"name\":\"a\",\"ranks\":3}}\n{}\n"), 3);
}

TEST(AskedRanks, AreNoneIfNoneWereAskedFor) {
  EXPECT_EQ(ranksIn("{\"event\":\"started\",\"run\":{\"name\":\"a\"}}\n"), 0);
  EXPECT_EQ(ranksIn(""), 0);
  EXPECT_EQ(askedRanks("/nonexistent"), 0);
}

TEST(AskedRanks, OfDamagedEventsAreNone) {
  for (const char* damaged : {"{\"event\":\"started\",\"run\":{\"ranks\":\"x\"}}\n",
                              "{\"event\":\"started\",\"run\":5}\n", "{\"event\":\"star", "[1]\n",
                              "{\"event\":\"progress\",\"run\":{\"ranks\":3}}\n",
                              "{\"event\":\"started\",\"run\":{\"ranks\":-3}}\n"}) {
    EXPECT_EQ(ranksIn(damaged), 0) << damaged;
  }
}

}  // namespace
}  // namespace stagelane::record
