#include "app/cli/model_share_table.h"

#include <gtest/gtest.h>

#include "app/cli/result_table.h"

namespace stagelane::app {
namespace {

record::VariantResult variant(const std::string& name, int replicas,
                              const std::vector<int>& layers) {
  record::VariantResult result;
  result.id = result.name = name;
  result.replicas = replicas;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    record::DeviceResult device;
    device.id = "cpu:" + std::to_string(i);
    device.layers = layers[i];
    device.parameters = 100 * layers[i];
    result.devices.push_back(device);
  }
  return result;
}

record::RunResult run(std::vector<record::VariantResult> variants) {
  record::RunResult result;
  result.devices = {"cpu:0", "cpu:1"};
  result.variants = std::move(variants);
  return result;
}

TEST(ModelShareTable, HasReplicasLayersAndParametersOfEachDevice) {
  record::VariantResult one = variant("single", 1, {10});
  one.devices[0].layers = 1;
  one.devices[0].parameters = 1;
  EXPECT_EQ(modelShareTable(run({one, variant("data parallel", 2, {10, 10}),
                                 variant("model parallel", 1, {5, 5})})),
            "variant         replicas  cpu:0                       cpu:1\n"
            "single          1         1 layer, 1 parameter        -\n"
            "data parallel   2         10 layers, 1000 parameters  10 layers, 1000 parameters\n"
            "model parallel  1         5 layers, 500 parameters    5 layers, 500 parameters\n"
            "\n");
}

TEST(ModelShareTable, IsEmptyWhereAllVariantsOnSeveralDevicesHaveTheSameStages) {
  EXPECT_EQ(modelShareTable(run({variant("single", 1, {10}), variant("mp", 1, {4, 6}),
                                 variant("pipe", 1, {4, 6})})),
            "");
  EXPECT_NE(modelShareTable(run({variant("mp", 1, {4, 6}), variant("pipe", 1, {5, 5})})), "");
  EXPECT_NE(modelShareTable(run({variant("single", 1, {10}), variant("dp", 2, {10, 10})})), "");
  EXPECT_EQ(modelShareTable(run({})), "");
}

TEST(ModelShareTable, SaysNothingOfADeviceWhoseShareIsNotKnown) {
  const std::string table =
      modelShareTable(run({variant("old", 1, {0, 0}), variant("new", 2, {3, 3})}));
  EXPECT_NE(table.find("old      1         -                         -\n"), std::string::npos)
      << table;
}

TEST(ModelShareTable, IsPartOfTheResults) {
  const record::RunResult result = run({variant("dp", 2, {7, 7})});
  EXPECT_NE(resultTable(result).find(modelShareTable(result)), std::string::npos);
}

}  // namespace
}  // namespace stagelane::app
