#include "ui/session/run/median_text.h"

#include <gtest/gtest.h>

#include "engine/trace/from_actions.h"
#include "engine/trace/middle_steps.h"
#include "engine/trace/trace_builder.h"

namespace stagelane::ui {
namespace {

trace::TracePtr stepsOf(const std::vector<TimeNs>& lengths, const std::string& statedNs) {
  std::vector<trace::ActionRecord> records;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    trace::ActionRecord record;
    record.repeat = static_cast<int>(i);
    record.device = 0;
    record.stage = 0;
    record.endNs = lengths[i];
    records.push_back(record);
  }
  trace::TraceBuilder builder;
  trace::addActions(builder, {"cpu:0"}, records, {});
  if (!statedNs.empty()) builder.setMetadata(trace::kMedianStepKey, statedNs);
  return std::move(builder).build();
}

TEST(ShownForMedianText, IsEmptyWhereTheShownStepIsTheMedian) {
  EXPECT_EQ(shownForMedianText(*stepsOf({5, 3, 9}, "")), QString());
}

TEST(ShownForMedianText, NamesTheMedianBetweenTwo) {
  const QString words =
      QStringLiteral("the faster of the two middle steps; their median is 8.52 s");
  EXPECT_EQ(shownForMedianText(*stepsOf({5'000'000'000}, "8515000000")), words);
  EXPECT_EQ(shownForMedianText(*stepsOf({5'000'000'000, 12'030'000'000}, "")), words);
}

}  // namespace
}  // namespace stagelane::ui
