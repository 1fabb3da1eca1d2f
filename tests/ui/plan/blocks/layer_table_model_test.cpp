#include "ui/plan/blocks/layer_table_model.h"

#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QSortFilterProxyModel>
#include <memory>
#include <vector>

#include "engine/base/json.h"
#include "ui/kit/text/formatting.h"
#include "ui/session/document/document.h"
#include "ui/session/session.h"

namespace stagelane::ui {
namespace {

class LayerTable : public testing::Test {
 protected:
  void SetUp() override {
    m_session.document().load(Json::parse(R"({
      "stagelane": 1, "name": "r", "model": {"zoo": "resnet18", "num_classes": 10},
      "input": {"shape": [3, 64, 64]}, "data": {"batch_size": 8, "labels": "one_hot"},
      "devices": ["cpu:0"], "repeat": 1,
      "variants": [{"name": "one", "strategy": "single", "device": "cpu:0"}]})"),
                              {}, {});
    m_plan = std::make_unique<PlanModel>(&m_session);
    m_table = std::make_unique<LayerTableModel>(m_plan.get());
  }
  [[nodiscard]] std::string cell(int row, int column) const {
    return utf8(m_table->data(m_table->index(row, column), Qt::DisplayRole).toString());
  }
  [[nodiscard]] double sum(int column) const {
    double total = 0.0;
    for (int row = 0; row < m_table->rowCount(); ++row) {
      total += m_table->data(m_table->index(row, column), LayerTableModel::kSortRole).toDouble();
    }
    return total;
  }

  Session m_session;
  std::unique_ptr<PlanModel> m_plan;
  std::unique_ptr<LayerTableModel> m_table;
};

TEST_F(LayerTable, HasARowForEachBlockWithTorchsummarysColumns) {
  const QAbstractItemModelTester tester(m_table.get(),
                                        QAbstractItemModelTester::FailureReportingMode::Fatal);
  ASSERT_EQ(m_table->rowCount(), static_cast<int>(m_plan->model().blocks.size()));
  EXPECT_EQ(cell(0, LayerTableModel::Name), "conv1");
  EXPECT_EQ(cell(0, LayerTableModel::Type), "Conv2d");
  EXPECT_EQ(cell(0, LayerTableModel::Output), "8×64×32×32");
  EXPECT_EQ(cell(0, LayerTableModel::Parameters), "9 k");
  // 64 channels of 32 × 32 from 3 × 7 × 7, eight samples.
  EXPECT_EQ(m_table->data(m_table->index(0, LayerTableModel::Macs), LayerTableModel::kSortRole)
                .toDouble(),
            8.0 * 64 * 32 * 32 * 3 * 7 * 7);
  EXPECT_NE(cell(0, LayerTableModel::Forward), "");
}

TEST_F(LayerTable, BlocksAndLayersHaveTheSameTotals) {
  const double parameters = sum(LayerTableModel::Parameters);
  const double macs = sum(LayerTableModel::Macs);
  const double activations = sum(LayerTableModel::Activations);
  m_table->setRows(LayerTableModel::Rows::Layers);
  EXPECT_GT(m_table->rowCount(), static_cast<int>(m_plan->model().blocks.size()));
  EXPECT_EQ(sum(LayerTableModel::Parameters), parameters);
  EXPECT_EQ(sum(LayerTableModel::Macs), macs);
  EXPECT_EQ(sum(LayerTableModel::Activations), activations);
}

TEST_F(LayerTable, OfALayerInsideABlockSaysThatTimesAreTheBlocks) {
  m_table->setRows(LayerTableModel::Rows::Layers);
  const int row =
      m_table->rowOf(static_cast<std::size_t>(m_plan->model().blockNamed("layer1.0")->value));
  ASSERT_GE(row, 0);
  EXPECT_EQ(cell(row, LayerTableModel::Name), "layer1.0.conv1");
  EXPECT_EQ(cell(row, LayerTableModel::Forward), "–");
  const QModelIndex index = m_table->index(row, LayerTableModel::Forward);
  EXPECT_TRUE(
      m_table->data(index, Qt::ToolTipRole).toString().contains(QStringLiteral("layer1.0")));
}

TEST_F(LayerTable, TotalsAreOfTheRowsThatAreShown) {
  std::vector<int> all;
  for (int row = 0; row < m_table->rowCount(); ++row) all.push_back(row);
  const std::string whole = utf8(m_table->totals(all));
  EXPECT_EQ(whole.find(" of "), whole.find(" of 8 samples")) << whole;
  const std::string one = utf8(m_table->totals({0}));
  EXPECT_EQ(one.rfind("1 of " + std::to_string(all.size()) + " blocks · 9 k parameters", 0), 0U)
      << one;
}

TEST_F(LayerTable, IsSortedByNumbersAndNotByTheirWords) {
  QSortFilterProxyModel sorted;
  sorted.setSourceModel(m_table.get());
  sorted.setSortRole(LayerTableModel::kSortRole);
  sorted.sort(LayerTableModel::Parameters, Qt::DescendingOrder);
  double before = 1e18;
  for (int row = 0; row < sorted.rowCount(); ++row) {
    const double now =
        sorted.data(sorted.index(row, LayerTableModel::Parameters), LayerTableModel::kSortRole)
            .toDouble();
    EXPECT_LE(now, before);
    before = now;
  }
}

}  // namespace
}  // namespace stagelane::ui
