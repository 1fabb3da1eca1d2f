// Texts about gaps and devices: causes with their culprits, percentages that add up.

#include <gtest/gtest.h>

#include "engine/trace/trace_builder.h"
#include "tests/ui/tracks/timeline_sample.h"
#include "ui/timeline/timeline_tables.h"

namespace stagelane::ui {
namespace {

using trace::Category;
using trace::TrackKind;

/// cpu:1 waits [0, 14 µs): until F0 of cpu:0 ended at 10 µs, 2 µs for its 3 MiB, 2 µs for itself.
TimelineDataPtr waiting() {
  trace::TraceBuilder builder;
  const auto add = [&](std::uint16_t track, TimeNs start, TimeNs duration, const char* name,
                       Category category, int stage) {
    trace::TraceBuilder::NewEvent event;
    event.startNs = start;
    event.durationNs = duration;
    event.name = name;
    event.category = category;
    event.track = track;
    event.stage = StageId{stage};
    event.microBatch = MicroBatchId{0};
    return event;
  };
  const auto cpu0 = builder.device("cpu:0");
  const auto cpu1 = builder.device("cpu:1");
  const auto first = builder.track(cpu0, TrackKind::Compute, "compute");
  const auto second = builder.track(cpu1, TrackKind::Compute, "compute");
  const auto copies = builder.track(cpu1, TrackKind::Copy, "copies");
  builder.add(add(second, 0, 1'000, "W9", Category::BackwardWeight, 1));
  builder.add(add(first, 0, 10'000, "F0", Category::Forward, 0));
  auto receive = add(copies, 10'000, 2'000, "RECV_F0", Category::RecvForward, 1);
  receive.bytes = Bytes{3} << 20;
  receive.peer = cpu0;
  builder.add(receive);
  builder.add(add(second, 14'000, 6'000, "F0", Category::Forward, 1));
  builder.addStep({.startNs = 0, .endNs = 20'000});
  return sample::dataOf(std::move(builder).build());
}

TargetText gapOf(const TimelineData& data, std::int32_t device) {
  for (const TimelineTarget& gap : data.gaps()) {
    if (gap.device == device) return describeTarget(data, gap);
  }
  return {};
}

TEST(GapText, NamesEachCauseWithItsTimeItsShareAndWhatItWas) {
  const auto data = waiting();
  const TargetText text = gapOf(*data, 1);
  EXPECT_EQ(text.title, QStringLiteral("gap on cpu:1, 1.0 – 14.0 µs, before F0"));
  ASSERT_EQ(text.parts.size(), 3U);
  EXPECT_EQ(text.parts[0].name, QStringLiteral("Starved"));
  EXPECT_EQ(text.parts[0].time, QStringLiteral("9.00 µs"));
  EXPECT_EQ(text.parts[0].why, QStringLiteral("until F0 on cpu:0 ended at 10.0 µs"));
  EXPECT_EQ(text.parts[1].name, QStringLiteral("Transfer"));
  EXPECT_EQ(text.parts[1].why, QStringLiteral("3 MiB arrived at 12.0 µs"));
  EXPECT_EQ(text.parts[2].name, QStringLiteral("Host"));
  int sum = 0;
  for (const GapPart& part : text.parts) sum += part.share.section(QChar(u' '), 0, 0).toInt();
  EXPECT_EQ(sum, 100);
}

TEST(GapText, LeadsToWhatWasWaitedForLongest) {
  const auto data = waiting();
  const TargetText text = gapOf(*data, 1);
  EXPECT_EQ(text.culpritName, QStringLiteral("F0 on cpu:0"));
  ASSERT_EQ(text.culprit.kind, TimelineTarget::Kind::Event);
  EXPECT_EQ(data->trace().event(text.culprit.event).name, "F0");
  EXPECT_EQ(data->deviceOfEvent(text.culprit.event), 0);
  EXPECT_EQ(text.culprit.device, 0);
  // No device waited for what came after a device's last work.
  EXPECT_TRUE(gapOf(*data, 0).culpritName.isEmpty());
}

TEST(HeaderText, AddsUpToTheWholeStepAndSaysWhatWasPredicted) {
  const auto data = sample::dataOf(sample::twoWorkers(), sample::twoWorkers());
  const HeaderText text = headerText(*data, 1);
  EXPECT_EQ(text.busy, QStringLiteral("busy 50.0 %"));
  EXPECT_TRUE(text.idle.startsWith(QStringLiteral("idle 50.0 % (predicted 50.0): 12.0 warm-up")))
      << text.idle.toStdString();
  double sum = 0.0;
  const QString list = text.idle.section(QStringLiteral("): "), 1);
  for (const QString& part : list.split(QStringLiteral(", "))) {
    sum += part.section(QChar(u' '), 0, 0).toDouble();
  }
  EXPECT_NEAR(sum, 50.0, 1e-9) << list.toStdString();
  EXPECT_EQ(headerSentence(*data, 1), text.busy + QStringLiteral(", ") + text.idle);
}

TEST(IdleCauses, ListWhatCannotBeSaidOnlyWhereItOccurs) {
  IdleCauseModel model;
  model.setTimeline(sample::dataOf(sample::twoWorkers()));
  const int rows = model.rowCount();
  EXPECT_EQ(model.data(model.index(rows - 1, 0), Qt::DisplayRole).toString(),
            QStringLiteral("Step"));
  for (int row = 0; row < rows; ++row) EXPECT_NE(model.causeOf(row), analysis::Cause::Unattributed);
  // A kernel with unknown origin after another: the cause of the wait is unknown.
  trace::TraceBuilder builder;
  const auto track = builder.track(builder.device("cuda:0"), TrackKind::Kernels, "stream 7");
  for (const TimeNs start : {0, 5'000}) {
    trace::TraceBuilder::NewEvent event;
    event.startNs = start;
    event.durationNs = 1'000;
    event.name = "gemm";
    event.category = Category::Kernel;
    event.track = track;
    builder.add(event);
  }
  model.setTimeline(sample::dataOf(std::move(builder).build()));
  EXPECT_EQ(model.rowCount(), rows + 1);
  EXPECT_EQ(model.causeOf(model.rowCount() - 2), analysis::Cause::Unattributed);
}

}  // namespace
}  // namespace stagelane::ui
