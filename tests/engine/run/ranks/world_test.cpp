#include "engine/run/ranks/world.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

namespace stagelane::run {
namespace {

using ::testing::HasSubstr;
using Variables = std::map<std::string, std::string>;

Result<std::optional<World>> worldOf(const Variables& variables, std::optional<int> option = {}) {
  return worldFromVariables(option, [&](const std::string& name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    if (found == variables.end()) return std::nullopt;
    return found->second;
  });
}

Variables torchrun() {
  return {{"RANK", "3"},
          {"WORLD_SIZE", "4"},
          {"LOCAL_RANK", "1"},
          {"MASTER_ADDR", "10.0.0.1"},
          {"MASTER_PORT", "29500"},
          {"TORCHELASTIC_USE_AGENT_STORE", "True"},
          {"TORCHELASTIC_RESTART_COUNT", "2"}};
}

Variables slurm() {
  return {{"SLURM_PROCID", "5"},
          {"SLURM_NTASKS", "8"},
          {"SLURM_LOCALID", "1"},
          {"SLURM_NODELIST", "node[03-07,9]"},
          {"SLURM_JOB_ID", "1234567"}};
}

Variables with(Variables variables, const std::string& name, const std::string& value) {
  variables[name] = value;
  return variables;
}

Variables without(Variables variables, const std::string& name) {
  variables.erase(name);
  return variables;
}

void expectError(const Variables& variables, const std::string& name,
                 std::optional<int> option = {}) {
  const auto world = worldOf(variables, option);
  ASSERT_FALSE(world) << name;
  EXPECT_EQ(world.error().code, ErrorCode::Invalid);
  EXPECT_EQ(world.error().context, name);
  EXPECT_THAT(world.error().message, HasSubstr(name));
}

TEST(World, NoLauncherMeansNoWorld) {
  const auto world = worldOf({{"MASTER_ADDR", "10.0.0.1"}, {"SLURM_JOB_ID", "12"}});
  ASSERT_TRUE(world);
  EXPECT_FALSE(*world);
}

TEST(World, IsReadFromTorchrunsVariables) {
  const auto world = worldOf(torchrun());
  ASSERT_TRUE(world && *world);
  EXPECT_EQ((*world)->rank, 3);
  EXPECT_EQ((*world)->size, 4);
  EXPECT_EQ((*world)->localRank, 1);
  EXPECT_EQ((*world)->address, "10.0.0.1");
  EXPECT_EQ((*world)->port, 29500);
  EXPECT_TRUE((*world)->agentStore);
  EXPECT_EQ((*world)->restart, 2);
  EXPECT_EQ((*world)->launcher, "torchrun");
}

TEST(World, IsReadFromSlurmsVariables) {
  const auto world = worldOf(slurm());
  ASSERT_TRUE(world && *world);
  EXPECT_EQ((*world)->rank, 5);
  EXPECT_EQ((*world)->size, 8);
  EXPECT_EQ((*world)->localRank, 1);
  EXPECT_EQ((*world)->address, "node03");
  EXPECT_EQ((*world)->port, 19567);
  EXPECT_FALSE((*world)->agentStore);
  EXPECT_EQ((*world)->launcher, "slurm");
}

TEST(World, MasterAddressAndPortReplaceThoseOfSlurm) {
  const auto world = worldOf(with(with(slurm(), "MASTER_ADDR", "here"), "MASTER_PORT", "77"));
  ASSERT_TRUE(world && *world);
  EXPECT_EQ((*world)->address, "here");
  EXPECT_EQ((*world)->port, 77);
}

TEST(World, TheHostsOfTheStepComeBeforeThoseOfTheJob) {
  const auto world = worldOf(with(slurm(), "SLURM_STEP_NODELIST", "node07"));
  ASSERT_TRUE(world && *world);
  EXPECT_EQ((*world)->address, "node07");
}

TEST(World, TorchrunHasPrecedenceOverSlurm) {
  Variables both = slurm();
  for (const auto& [name, value] : torchrun()) both[name] = value;
  const auto world = worldOf(both);
  ASSERT_TRUE(world && *world);
  EXPECT_EQ((*world)->launcher, "torchrun");
  EXPECT_EQ((*world)->rank, 3);
}

TEST(World, AScriptForSlurmMaySetTheWorldSize) {
  const auto world = worldOf(with(slurm(), "WORLD_SIZE", "8"));
  ASSERT_TRUE(world && *world);
  EXPECT_EQ((*world)->launcher, "slurm");
  expectError(with(slurm(), "WORLD_SIZE", "4"), "WORLD_SIZE");
}

TEST(World, ASingleTaskOfSlurmIsNoWorld) {
  const auto world = worldOf(with(with(slurm(), "SLURM_NTASKS", "1"), "SLURM_PROCID", "0"));
  ASSERT_TRUE(world);
  EXPECT_FALSE(*world);
}

TEST(World, EveryMissingVariableIsNamed) {
  for (const std::string name :
       {"WORLD_SIZE", "LOCAL_RANK", "MASTER_ADDR", "MASTER_PORT", "RANK"}) {
    expectError(without(torchrun(), name), name);
  }
  for (const std::string name : {"SLURM_LOCALID", "SLURM_NODELIST", "SLURM_JOB_ID"}) {
    expectError(without(slurm(), name), name);
  }
  expectError(with(torchrun(), "MASTER_ADDR", ""), "MASTER_ADDR");
}

TEST(World, EveryMalformedVariableIsNamed) {
  for (const std::string text : {"x", "-1", "3x", " 3", "99999999999"}) {
    for (const std::string name : {"RANK", "WORLD_SIZE", "LOCAL_RANK", "MASTER_PORT",
                                   "TORCHELASTIC_RESTART_COUNT", "TORCHELASTIC_USE_AGENT_STORE"}) {
      expectError(with(torchrun(), name, text), name);
    }
    for (const std::string name :
         {"SLURM_PROCID", "SLURM_NTASKS", "SLURM_LOCALID", "MASTER_PORT"}) {
      expectError(with(slurm(), name, text), name);
    }
  }
  expectError(with(slurm(), "SLURM_JOB_ID", "12x"), "SLURM_JOB_ID");
  expectError(with(slurm(), "SLURM_NODELIST", "node["), "SLURM_NODELIST");
  expectError(with(torchrun(), "MASTER_PORT", "65536"), "MASTER_PORT");
}

TEST(World, ContradictionsAreErrors) {
  expectError(with(torchrun(), "RANK", "4"), "RANK");
  expectError(with(slurm(), "SLURM_PROCID", "8"), "SLURM_PROCID");
  expectError(with(torchrun(), "LOCAL_RANK", "4"), "LOCAL_RANK");
  expectError(torchrun(), "LOCAL_RANK", 0);
}

TEST(World, TheArgumentStandsForAMissingLocalRank) {
  const auto world = worldOf(without(torchrun(), "LOCAL_RANK"), 2);
  ASSERT_TRUE(world && *world);
  EXPECT_EQ((*world)->localRank, 2);
}

TEST(World, VariablesForAFollowerDescribeTheSameWorld) {
  World world;
  world.rank = 1;
  world.size = 3;
  world.localRank = 1;
  world.address = "127.0.0.1";
  world.port = 4000;
  Variables variables;
  for (const std::string& line : variablesOf(world)) {
    const std::size_t equals = line.find('=');
    variables[line.substr(0, equals)] = line.substr(equals + 1);
  }
  const auto again = worldOf(variables);
  ASSERT_TRUE(again && *again);
  EXPECT_EQ((*again)->rank, 1);
  EXPECT_EQ((*again)->size, 3);
  EXPECT_EQ((*again)->port, 4000);
  EXPECT_FALSE((*again)->agentStore);
  EXPECT_EQ((*again)->launcher, "stagelane");
}

TEST(FirstHost, ReadsSlurmsShortForms) {
  EXPECT_EQ(firstHost("alone").value(), "alone");
  EXPECT_EQ(firstHost("a1,b2").value(), "a1");
  EXPECT_EQ(firstHost("node[03-07,9]").value(), "node03");
  EXPECT_EQ(firstHost("node[9,12],x").value(), "node9");
  EXPECT_EQ(firstHost("rack[2-4]-node[01-16]").value(), "rack2-node01");
  EXPECT_EQ(firstHost("gpu[1-2].cluster.org").value(), "gpu1.cluster.org");
}

TEST(FirstHost, RefusesOtherTexts) {
  for (const std::string text : {"", ",a", "a[", "a[]", "a]1", "a[x-y]", "a b"}) {
    EXPECT_FALSE(firstHost(text)) << text;
  }
}

}  // namespace
}  // namespace stagelane::run
