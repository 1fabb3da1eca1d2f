#include "ui/session/prediction/costs.h"

#include <gtest/gtest.h>

#include <QSignalSpy>

namespace stagelane::ui {
namespace {

TEST(Costs, TellOnceThatTheyAreOthers) {
  ExperimentDocument document;
  Costs costs(&document);
  const QSignalSpy changed(&costs, &Costs::changed);
  const auto table = std::make_shared<predict::CostTable>();
  costs.set(table);
  costs.set(table);
  EXPECT_EQ(changed.size(), 1);
  EXPECT_EQ(costs.table(), table);
  CostFacts facts;
  facts.lacks = QStringLiteral("cpu:0");
  costs.set(table, facts);
  EXPECT_EQ(changed.size(), 2) << "the same table, another reason";
  EXPECT_EQ(costs.facts(), facts);
}

TEST(Costs, TellOfAnotherPeakHistoryOnly) {
  ExperimentDocument document;
  Costs costs(&document);
  const QSignalSpy changed(&costs, &Costs::peakHistoryChanged);
  costs.setPeakHistory({});
  EXPECT_EQ(changed.size(), 0);
}

}  // namespace
}  // namespace stagelane::ui
