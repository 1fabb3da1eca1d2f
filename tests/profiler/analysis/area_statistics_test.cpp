#include "profiler/analysis/area_statistics.h"

#include <gtest/gtest.h>
#include "engine/trace/trace_builder.h"

namespace stagelane::analysis {
namespace {

using trace::Category;

struct Slice {
  TimeNs start = 0;
  TimeNs duration = 0;
  const char* name = "k";
  Category category = Category::Kernel;
};

trace::TracePtr traceOf(const std::vector<Slice>& slices) {
  trace::TraceBuilder builder;
  trace::TraceBuilder::NewEvent event;
  event.track = builder.track(builder.device("cuda:0"), trace::TrackKind::Kernels, "stream 7");
  for (const Slice& slice : slices) {
    event.startNs = slice.start;
    event.durationNs = slice.duration;
    event.name = slice.name;
    event.category = slice.category;
    builder.add(event);
  }
  return std::move(builder).build();
}

const Area kArea{.fromNs = 100, .toNs = 200, .tracks = {1}};

TEST(AreaStatistics, CountOnlyThePartInsideTheEdges) {
  const auto trace = traceOf({{0, 100}, {50, 60, "left"}, {120, 30}, {190, 50, "right"}, {200, 9}});
  const AreaStatistics found = areaStatistics(*trace, kArea);
  EXPECT_EQ(found.all.count, 3U) << "what touches an edge from outside is outside";
  EXPECT_EQ(found.all.totalNs, 10 + 30 + 10);
  EXPECT_EQ(found.cutOff, 2U);
  EXPECT_EQ(found.all.shortestNs, 10);
  EXPECT_EQ(found.all.longestNs, 30);
  EXPECT_DOUBLE_EQ(found.all.meanNs(), 50.0 / 3.0);
}

TEST(AreaStatistics, CutAnEventThatSpansTheAreaAtBothEdgesOnce) {
  const AreaStatistics found = areaStatistics(*traceOf({{0, 1000}}), kArea);
  EXPECT_EQ(found.all.totalNs, 100);
  EXPECT_EQ(found.cutOff, 1U);
}

TEST(AreaStatistics, CountEventsOfNoLengthFromTheFirstMomentToBeforeTheLast) {
  const AreaStatistics found =
      areaStatistics(*traceOf({{99, 0}, {100, 0}, {150, 0}, {200, 0}}), kArea);
  EXPECT_EQ(found.all.count, 2U);
  EXPECT_EQ(found.all.totalNs, 0);
  EXPECT_EQ(found.cutOff, 0U);
}

TEST(AreaStatistics, AddOverlappingEventsUpAndGroupThemByKindAndName) {
  const auto trace = traceOf({{100, 50, "a"},
                              {110, 50, "a"},
                              {120, 5, "b"},
                              {130, 40, "copy", Category::Copy},
                              {140, 1, "a", Category::Operator}});
  const AreaStatistics found = areaStatistics(*trace, kArea);
  ASSERT_EQ(found.kinds.size(), 3U);
  EXPECT_EQ(found.kinds[0].category, Category::Kernel);
  EXPECT_EQ(found.kinds[0].totalNs, 105);
  EXPECT_EQ(found.kinds[0].count, 3U);
  EXPECT_EQ(found.kinds[1].category, Category::Copy);
  ASSERT_EQ(found.names.size(), 4U) << "one name of two kinds is two rows";
  EXPECT_EQ(found.names[0].name, "a");
  EXPECT_EQ(found.names[0].totalNs, 100);
  EXPECT_EQ(found.names[1].name, "copy");
}

TEST(AreaStatistics, LeaveOutWhatTheLegendHidesAndWhatIsOnOtherTracks) {
  const auto trace = traceOf({{100, 50}, {100, 20, "c", Category::Copy}});
  Area area = kArea;
  area.shown = static_cast<trace::CategoryMask>(~trace::maskOf(Category::Copy));
  EXPECT_EQ(areaStatistics(*trace, area).all.totalNs, 50);
  area.tracks = {0};
  EXPECT_EQ(areaStatistics(*trace, area).all.count, 0U);
  area.tracks.clear();
  EXPECT_TRUE(areaStatistics(*trace, area).names.empty());
}

}  // namespace
}  // namespace stagelane::analysis
