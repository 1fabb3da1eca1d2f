#include "ui/timeline/timeline_events.h"

#include <gtest/gtest.h>

#include <QCoreApplication>
#include <QHeaderView>
#include <QScrollBar>
#include <QTest>

#include "engine/trace/trace_builder.h"

namespace stagelane::ui {
namespace {

constexpr std::uint32_t kMany = 70'000;

/// Events of 1 … 7 ns, one of them far longer, in one lane.
TimelineDataPtr manyEvents() {
  trace::TraceBuilder builder;
  trace::TraceBuilder::NewEvent event;
  event.track = builder.track(builder.device("cuda:0"), trace::TrackKind::Kernels, "stream 7");
  event.name = "k";
  event.category = trace::Category::Kernel;
  for (std::uint32_t i = 0; i < kMany; ++i) {
    event.startNs = i * TimeNs{10};
    event.durationNs = i == 60'000 ? 9 : 1 + i % 7;
    builder.add(event);
  }
  builder.addStep({.repeat = 0, .step = 0, .startNs = 0, .endNs = TimeNs{kMany} * 10});
  return std::make_shared<const TimelineData>(std::move(builder).build(), 0, nullptr);
}

TimelineTarget eventAt(std::size_t event) {
  return {.kind = TimelineTarget::Kind::Event, .event = event, .device = 0};
}

class TimelineEventsTest : public testing::Test {
 protected:
  void SetUp() override {
    m_data = manyEvents();
    m_table.resize(600, 300);
    m_table.setStep(m_data, beginningOf(*m_data, shownRange(*m_data)));
    m_table.show();
    QCoreApplication::processEvents();
  }
  [[nodiscard]] bool settle() {
    return QTest::qWaitFor([this] { return !m_table.busy(); }, 20'000);
  }
  /// The event of the selected row, which must be visible; -1 for none.
  [[nodiscard]] std::int64_t selected() const {
    const QModelIndexList rows = m_table.selectionModel()->selectedRows();
    if (rows.size() != 1) return -1;
    EXPECT_TRUE(m_table.viewport()->rect().intersects(m_table.visualRect(rows[0])));
    return static_cast<std::int64_t>(m_table.events().targetOf(rows[0].row()).event);
  }
  void clickHead(EventColumn column) {
    const QHeaderView& head = *m_table.horizontalHeader();
    const int section = static_cast<int>(column);
    const QPoint middle(head.sectionViewportPosition(section) + head.sectionSize(section) / 2,
                        head.height() / 2);
    QTest::mouseClick(head.viewport(), Qt::LeftButton, {}, middle);
  }

  TimelineDataPtr m_data;
  TimelineEvents m_table;
};

TEST_F(TimelineEventsTest, FindsWhateverIsSelected) {
  m_table.showTarget(eventAt(65'000));
  ASSERT_TRUE(settle());
  EXPECT_EQ(selected(), 65'000);
  m_table.showTarget(eventAt(5));
  EXPECT_EQ(selected(), 5) << "at once, now that all are there";
  m_table.showTarget({});
  EXPECT_EQ(selected(), -1);
}

TEST_F(TimelineEventsTest, SortsAllOfThemByAColumnThatIsClicked) {
  m_table.showTarget(eventAt(5));
  clickHead(EventColumn::Duration);
  ASSERT_TRUE(settle());
  EXPECT_EQ(selected(), 5) << "the selection stays in sight";
  clickHead(EventColumn::Duration);
  ASSERT_TRUE(settle());
  m_table.showTarget({});
  m_table.scrollToTop();
  EXPECT_EQ(m_table.events().list()->events.front(), 60'000U);
  m_table.showTarget(eventAt(60'000));
  EXPECT_EQ(selected(), 60'000);
}

TEST_F(TimelineEventsTest, ScrollingPastAnEndMovesTheWindowOn) {
  QScrollBar& bar = *m_table.verticalScrollBar();
  bar.setValue(bar.maximum());
  ASSERT_TRUE(settle());
  EXPECT_EQ(m_table.events().list()->events.size(), kMany);
  for (int i = 0; i < 20 && m_table.events().first() + kMostTableEvents < kMany; ++i) {
    const auto topEvent = [this] { return m_table.events().targetOf(m_table.rowAt(0)).event; };
    bar.setValue(bar.maximum() - 1);
    const std::size_t top = topEvent();
    bar.setValue(bar.maximum());
    QCoreApplication::processEvents();
    EXPECT_LE(topEvent(), top + 1) << "rows stay where they are";
    EXPECT_GE(topEvent() + 1, top);
  }
  EXPECT_EQ(m_table.events().first() + kMostTableEvents, kMany);
  for (int i = 0; i < 20 && m_table.events().first() > 0; ++i) {
    bar.setValue(0);
    QCoreApplication::processEvents();
  }
  EXPECT_EQ(m_table.events().first(), 0U);
}

TEST_F(TimelineEventsTest, LeavesAnAreaForWhatIsNotInIt) {
  m_table.setArea(beginningOf(*m_data, {100, 200}));
  EXPECT_EQ(m_table.note(), QStringLiteral("10 in this area"));
  clickHead(EventColumn::Duration);
  EXPECT_EQ(m_table.events().rowCount(), 10);
  m_table.showTarget(eventAt(12));
  EXPECT_EQ(m_table.note(), QStringLiteral("10 in this area"));
  m_table.showTarget(eventAt(40'000));
  ASSERT_TRUE(settle());
  EXPECT_EQ(selected(), 40'000);
  EXPECT_TRUE(m_table.note().endsWith(QStringLiteral("of 70000 in this step")))
      << m_table.note().toStdString();
}

TEST_F(TimelineEventsTest, AnAreaWithoutTracksHasNoEvents) {
  m_table.setArea(std::make_shared<const EventList>());
  clickHead(EventColumn::Duration);
  EXPECT_EQ(m_table.events().rowCount(), 0);
}

}  // namespace
}  // namespace stagelane::ui
