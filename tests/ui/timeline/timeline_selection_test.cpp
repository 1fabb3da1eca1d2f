#include "ui/timeline/timeline_selection.h"

#include <gtest/gtest.h>

#include <QTableView>

#include "tests/support/german_numbers.h"

namespace stagelane::ui {
namespace {

TEST(TimelineSelection, ShowsMeansInTheLocaleAndCopiesThemWithAPoint) {
  const test::GermanNumbers german;
  analysis::AreaRow row;
  row.name = "gemm";
  row.category = trace::Category::Kernel;
  row.count = 2;
  row.totalNs = 5;
  analysis::AreaStatistics statistics;
  statistics.toNs = 10;
  statistics.all = row;
  statistics.kinds = statistics.names = {row};
  TimelineSelection selection;
  selection.showArea(statistics, 0);
  const auto* table = selection.findChild<QTableView*>(QStringLiteral("areaTable"));
  ASSERT_NE(table, nullptr);
  EXPECT_EQ(table->model()->index(0, 3).data().toString().toStdString(), "2,5");
  EXPECT_TRUE(selection.asText().endsWith(QStringLiteral("\t2\t5\t2.5\n")))
      << selection.asText().toStdString();
}

}  // namespace
}  // namespace stagelane::ui
