// The table of events: every order against a plain sort, and its window over many.

#include "ui/timeline/event_table.h"

#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <algorithm>

#include "engine/trace/trace_builder.h"
#include "tests/support/german_numbers.h"
#include "tests/ui/tracks/timeline_sample.h"

namespace stagelane::ui {
namespace {

using trace::Category;

const std::atomic<bool> kNever{false};

/// Two workers with actions whose numbers go beyond ten, in no order of length.
trace::TracePtr manyActions(int count, TimeNs scale) {
  std::vector<sample::Slice> first, second;
  for (int i = 0; i < count; ++i) {
    first.push_back({i * 1'000, (100 + i * 37 % 800) * scale / 10, Category::Forward, 0, i});
    second.push_back({i * 1'000 + 3, 100 + i * 53 % 700, Category::Backward, 1, i});
  }
  return sample::traceOf({first, second}, count * 1'000);
}

QString cell(const StepEventsModel& model, int row, EventColumn column) {
  return model.data(model.index(row, static_cast<int>(column)), Qt::DisplayRole).toString();
}

TEST(SortedEvents, AreInTheOrderOfEveryColumnAndAlikeByStart) {
  const auto data = sample::dataOf(manyActions(300, 10), manyActions(200, 7));
  const trace::Trace& trace = data->trace();
  for (const bool descending : {false, true}) {
    for (int column = 0; column < kEventColumns; ++column) {
      const EventSort sort{static_cast<EventColumn>(column), descending};
      const EventListPtr list = sortedEvents(*data, shownRange(*data), sort, kNever);
      ASSERT_EQ(list->events.size(), trace.size()) << column;
      StepEventsModel model;
      model.setEvents(data, list);
      const auto value = [&](int row) {
        const QString text = cell(model, row, sort.column);
        if (sort.column == EventColumn::Device) return text.back().digitValue() * 1.0;
        if (sort.column == EventColumn::ToPredicted) {
          if (text == QStringLiteral("–")) return descending ? -1e9 : 1e9;
          const QString number = text.section(QChar(u' '), 0, 0);
          return QString(number).replace(QChar(u'\u2212'), QChar(u'-')).toDouble();
        }
        if (sort.column == EventColumn::Action) {
          return (text[0] == QChar(u'B') ? 0 : 1000) + text.mid(1).toDouble();
        }
        return text.toDouble();
      };
      for (int row = 1; row < model.rowCount(); ++row) {
        const double before = value(row - 1), here = value(row);
        ASSERT_TRUE(descending ? before >= here : before <= here)
            << column << ", row " << row << ": " << before << " and " << here;
        const auto startOf = [&](int each) {
          return trace.startsNs()[list->events[static_cast<std::size_t>(each)]];
        };
        if (before == here && sort.column != EventColumn::ToPredicted) {
          ASSERT_LE(startOf(row - 1), startOf(row)) << column << ", row " << row;
        }
      }
    }
  }
}

TEST(SortedEvents, EndWhenNobodyWaitsForThem) {
  const auto data = sample::dataOf(manyActions(300, 10));
  const std::atomic<bool> canceled{true};
  EXPECT_EQ(sortedEvents(*data, shownRange(*data), {}, canceled), nullptr);
}

TEST(SortedEvents, OfAnAreaAreThoseThatReachIntoIt) {
  const auto data = sample::dataOf(sample::twoWorkers());
  const EventRange range{12'000, 40'000, {1}};
  EXPECT_EQ(sortedEvents(*data, range, {}, kNever)->events, firstEvents(*data, range, 100));
  EXPECT_EQ(firstEvents(*data, range, 100).size(), 1U);
}

/// More than the window holds, and more than are sorted at once.
TimelineDataPtr manyKernels() {
  std::vector<sample::Slice> slices;
  for (TimeNs i = 0; i < 600'000; ++i) {
    slices.push_back({i * 10, 1 + i * 7919 % 9, Category::Kernel, -1, -1});
  }
  return sample::dataOf(sample::kernelsOf(slices, 6'000'000));
}

TEST(SortedEvents, AreAllThereHoweverManyTheyAre) {
  const auto data = manyKernels();
  const EventSort longestFirst{EventColumn::Duration, true};
  const EventListPtr list = sortedEvents(*data, shownRange(*data), longestFirst, kNever);
  ASSERT_EQ(list->events.size(), 600'000U);
  const auto& trace = data->trace();
  std::vector<std::uint32_t> expected(trace.size());
  for (std::uint32_t i = 0; i < expected.size(); ++i) expected[i] = i;
  std::stable_sort(expected.begin(), expected.end(), [&](std::uint32_t a, std::uint32_t b) {
    return trace.durationsNs()[a] > trace.durationsNs()[b];
  });
  EXPECT_EQ(list->events, expected);
  EXPECT_TRUE(list->complete);
}

TEST(StepEventsModel, ShowsAWindowOfAllAndSaysWhichOne) {
  const auto data = manyKernels();
  const EventListPtr beginning = beginningOf(*data, shownRange(*data));
  EXPECT_FALSE(beginning->complete);
  StepEventsModel model;
  const QAbstractItemModelTester tester(&model,
                                        QAbstractItemModelTester::FailureReportingMode::Fatal);
  model.setEvents(data, beginning);
  ASSERT_EQ(model.rowCount(), static_cast<int>(kMostTableEvents));
  EXPECT_EQ(eventsNoteText(model, QStringLiteral("step")),
            QStringLiteral("first 20000 in this step"));
  const TimelineTarget late{.kind = TimelineTarget::Kind::Event, .event = 500'000, .device = 0};
  EXPECT_FALSE(model.placeOf(late).has_value());
  const EventListPtr all = sortedEvents(*data, shownRange(*data), {}, kNever);
  model.setEvents(data, all, 490'000);
  EXPECT_EQ(model.rowOf(late), 10'000);
  EXPECT_EQ(model.targetOf(10'000), late);
  EXPECT_EQ(cell(model, 10'000, EventColumn::Start), QStringLiteral("5000.000"));
  EXPECT_EQ(eventsNoteText(model, QStringLiteral("step")),
            QStringLiteral("490001–510000 of 600000 in this step"));
  model.setEvents(data, all, 599'999);
  EXPECT_EQ(model.first(), 580'000U) << "never a window that is not full";
  EXPECT_EQ(model.rowOf(late), -1);
  model.setEvents(nullptr, nullptr);
  EXPECT_EQ(model.rowCount(), 0);
}

TEST(StepEventsModel, ShowsTimesWithTheDecimalSignOfTheLocale) {
  const test::GermanNumbers german;
  const auto data = sample::dataOf(sample::twoWorkers());
  StepEventsModel model;
  model.setEvents(data, beginningOf(*data, shownRange(*data)));
  EXPECT_EQ(cell(model, 0, EventColumn::Start), QStringLiteral("0,000"));
}

}  // namespace
}  // namespace stagelane::ui
