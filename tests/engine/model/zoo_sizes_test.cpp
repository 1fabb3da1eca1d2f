#include "engine/model/zoo_sizes.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "engine/model/model.h"

namespace stagelane::model {
namespace {

class SizesOf : public testing::TestWithParam<ZooEntry> {};

/// "…; sizes: depth, width" → " depth, width": the sizes that `stagelane models` prints.
std::string toldSizes(const std::string& description) {
  const std::size_t at = description.find("; size");
  return at == std::string::npos ? "" : description.substr(description.find(':', at) + 1) + ",";
}

TEST_P(SizesOf, AreThoseThatTheModelTellsOfAndTakes) {
  const ZooEntry& entry = GetParam();
  const std::vector<ZooSize> sizes = zooSizes(entry.name);
  const std::string told = toldSizes(entry.description);
  EXPECT_EQ(static_cast<std::ptrdiff_t>(sizes.size()), std::count(told.begin(), told.end(), ','));
  Json definition{{"zoo", entry.name}};
  for (const ZooSize& size : sizes) {
    EXPECT_NE(told.find(" " + size.key + ","), std::string::npos) << size.key;
    definition[size.key] = size.fallback;
  }
  const auto said = buildModel(definition, "/model", "");
  ASSERT_TRUE(said.has_value()) << said.error().message;
  const auto unsaid = buildModel(Json{{"zoo", entry.name}}, "/model", "");
  ASSERT_TRUE(unsaid.has_value());
  EXPECT_EQ((*said)->layers.size(), (*unsaid)->layers.size());
  EXPECT_EQ((*said)->defaultInput, (*unsaid)->defaultInput);
  EXPECT_EQ((*said)->ties, (*unsaid)->ties);
  for (std::size_t layer = 0; layer < (*said)->layers.size(); ++layer) {
    const auto own = ownedTensors((*said)->layers[layer].spec);
    const auto other = ownedTensors((*unsaid)->layers[layer].spec);
    ASSERT_EQ(own.size(), other.size());
    for (std::size_t at = 0; at < own.size(); ++at) EXPECT_EQ(own[at].shape, other[at].shape);
  }
}

INSTANTIATE_TEST_SUITE_P(Zoo, SizesOf, testing::ValuesIn(zoo()), [](const auto& each) {
  std::string name = each.param.name;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(ZooSizes, AnUnknownModelHasNone) { EXPECT_TRUE(zooSizes("nosuch").empty()); }

}  // namespace
}  // namespace stagelane::model
