#include "app/cli/rank_table.h"

#include <gtest/gtest.h>

#include "app/cli/result_table.h"

namespace stagelane::app {
namespace {

record::VariantResult variant(const std::string& name, std::vector<record::RankResult> ranks) {
  record::VariantResult result;
  result.id = result.name = name;
  result.ranks = std::move(ranks);
  return result;
}

record::RankResult rank(int number, const std::string& host, TimeNs errorNs) {
  return {number, host, 10 + number, "done", record::ClockResult{7, errorNs, 0.0}, {}};
}

record::RunResult run(std::vector<record::VariantResult> variants) {
  record::RunResult result;
  result.variants = std::move(variants);
  return result;
}

TEST(RankTable, HasRanksHostsClockErrorAndAllReduceOfVariantsInSeveralProcesses) {
  record::VariantResult reduced =
      variant("ddp", {rank(0, "a", 99'000'000), rank(1, "b", 14'000), rank(2, "a", 900)});
  reduced.allReduce = record::AllReduceResult{Bytes{3} << 20, 2'500'000, 80.0};
  EXPECT_EQ(rankTable(run({variant("single", {}), reduced,
                           variant("pipeline", {rank(0, "a", 0), rank(1, "a", 800)})})),
            "variant   ranks  hosts  clock error  all-reduce  exposed  hidden\n"
            "ddp       3      a, b   ± 14.0 µs    3.0 MiB     2.50 ms  80.0 %\n"
            "pipeline  2      a      ± 800 ns     -           -        -\n"
            "\n");
}

TEST(RankTable, IsEmptyWithoutSuchAVariant) {
  EXPECT_EQ(rankTable(run({})), "");
  EXPECT_EQ(rankTable(run({variant("single", {})})), "");
}

TEST(RankTable, WhatIsUnknownIsADash) {
  record::RankResult other = rank(1, "", 0);
  other.clock.reset();
  const std::string table = rankTable(run({variant("old", {rank(0, "", 5), other})}));
  EXPECT_NE(table.find("old      2      -      -            -           -        -\n"),
            std::string::npos)
      << table;
}

TEST(RankTable, IsPartOfTheResults) {
  const record::RunResult result = run({variant("ddp", {rank(0, "a", 0), rank(1, "b", 14'000)})});
  EXPECT_NE(resultTable(result).find(rankTable(result)), std::string::npos);
}

TEST(RankTable, NamesOfHostsCannotCommandTheTerminal) {
  const std::string table = rankTable(run({variant("ddp", {rank(0, "a\033[31m\nb", 0)})}));
  EXPECT_EQ(table.find('\033'), std::string::npos);
}

}  // namespace
}  // namespace stagelane::app
