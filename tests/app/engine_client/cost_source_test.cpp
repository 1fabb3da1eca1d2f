#include "app/engine_client/cost_source.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/support/temporary_folder.h"

namespace stagelane::app {
namespace {

namespace fs = std::filesystem;

class CostsFileTest : public testing::Test {
 protected:
  void SetUp() override {
    predict::CostTable table;
    table.actionOverheadNs = 1234;
    table.origin = {{"environment", {{"cpu", "a processor"}}}};
    m_costs.table = std::make_shared<const predict::CostTable>(std::move(table));
    m_costs.file = m_kept / "kept.json";
    std::ofstream(m_costs.file) << "{}";
  }

  test::TemporaryFolder m_kept;
  test::TemporaryFolder m_scratch;
  CostSource m_costs;
};

TEST_F(CostsFileTest, IsTheTablesOwnWhileThereIsOne) {
  EXPECT_EQ(costsFile(m_costs, m_scratch.path()), m_costs.file);
  EXPECT_TRUE(fs::is_empty(m_scratch.path()));
}

TEST_F(CostsFileTest, IsWrittenAnewWhereItWasDeleted) {
  fs::remove(m_costs.file);
  const auto file = costsFile(m_costs, m_scratch.path());
  ASSERT_TRUE(file);
  EXPECT_EQ(file->parent_path(), m_scratch.path());
  const auto table = predict::readCostTable(file->string());
  ASSERT_TRUE(table);
  EXPECT_EQ(predict::toJson(*table), predict::toJson(*m_costs.table));
}

TEST_F(CostsFileTest, IsNoneForEstimates) {
  m_costs.table = nullptr;
  EXPECT_EQ(costsFile(m_costs, m_scratch.path()), fs::path());
}

TEST_F(CostsFileTest, SaysWhereItCannotBeWritten) {
  fs::remove(m_costs.file);
  const auto file = costsFile(m_costs, m_scratch / "gone");
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().code, ErrorCode::CannotWrite);
}

}  // namespace
}  // namespace stagelane::app
