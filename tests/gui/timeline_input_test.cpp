// Navigation in the Timeline by mouse and keys, with a trace of more devices than fit: wheel,
// drags, double clicks, letters, the overview, tables and tabs below.

#include <cmath>

#include "engine/trace/trace_builder.h"
#include "profiler/formats/perfetto.h"
#include "tests/gui/timeline_window.h"
#include "ui/kit/theme.h"

namespace stagelane::gui {
namespace {

using trace::Category;
using trace::TrackKind;

constexpr TimeNs kStep = 100'000;
constexpr int kDevices = 12;

/// Three repeats, the last of which is the median: a chain of forwards and backwards over twelve
/// workers, so that each waits before and after its own.
trace::TracePtr threeSteps() {
  trace::TraceBuilder builder;
  const TimeNs lengths[] = {kStep * 6 / 5, kStep * 9 / 10, kStep};
  std::vector<std::uint16_t> tracks;
  for (int device = 0; device < kDevices; ++device) {
    const std::string name = "cpu:" + std::to_string(device);
    tracks.push_back(builder.track(builder.device(name), TrackKind::Compute, "compute"));
  }
  for (int repeat = 0; repeat < 3; ++repeat) {
    const TimeNs at = 2 * kStep * repeat;
    for (int device = 0; device < kDevices; ++device) {
      trace::TraceBuilder::NewEvent event;
      event.track = tracks[static_cast<std::size_t>(device)];
      event.stage = StageId{device};
      event.microBatch = MicroBatchId{0};
      event.startNs = at + device * 4'000;
      event.durationNs = 4'000;
      event.name = "F0";
      event.category = Category::Forward;
      builder.add(event);
      event.startNs = at + 48'000 + (kDevices - 1 - device) * 3'500;
      event.durationNs = 3'500;
      event.name = "B0";
      event.category = Category::Backward;
      builder.add(event);
    }
    builder.addStep({.repeat = repeat, .startNs = at, .endNs = at + lengths[repeat]});
  }
  builder.addDropped(7);
  return std::move(builder).build();
}

class TimelineInput : public TimelineWindow {
 protected:
  void SetUp() override {
    WindowTest::SetUp();
    ASSERT_TRUE(formats::writePerfetto(*threeSteps(), file().toStdString()));
    ASSERT_TRUE(openAt(QSize(1440, 900)));
  }
  [[nodiscard]] QString file() const { return path(QStringLiteral("three.pftrace")); }
  [[nodiscard]] bool openAt(const QSize& size) { return openTrace(file(), size); }
  /// A point in the lanes, a quarter from the left, on the actions of the first device.
  [[nodiscard]] QPoint quarter() {
    const QRect lanes = rectOf(QStringLiteral("timelineRange"));
    return {lanes.left() + lanes.width() / 4,
            rectOf(QStringLiteral("row.cpu:0.actions")).center().y()};
  }
  /// Zooms in until a quarter of the step is shown.
  [[nodiscard]] bool zoomIn() {
    const double whole = range().span();
    m_window.wheel(quarter(), 6, QStringLiteral("ctrl"));
    return waitForRange(QStringLiteral("a closer view"),
                        [&](Range now) { return now.span() < whole * 0.3; });
  }
  /// Pixels of one color in a part of the screen.
  [[nodiscard]] int count(const QRect& part, const QColor& color) {
    const QPoint corner = m_window.map().find(QStringLiteral("rail"))->rect.topLeft();
    const QImage picture = m_window.picture().copy(part.translated(-corner));
    int found = 0;
    for (int y = 0; y < picture.height(); ++y) {
      for (int x = 0; x < picture.width(); ++x) {
        found += picture.pixelColor(x, y).rgb() == color.rgb() ? 1 : 0;
      }
    }
    return found;
  }
};

TEST_F(TimelineInput, BeginsWithTheMedianRepeat) {
  EXPECT_EQ(m_window.map().textOf(QStringLiteral("step")), QStringLiteral("repeat 3 (median)"));
  EXPECT_DOUBLE_EQ(range().span(), static_cast<double>(kStep));
}

TEST_F(TimelineInput, TheWheelScrollsTheTracksAndWithShiftTheTime) {
  const int before = rectOf(QStringLiteral("row.cpu:1.actions")).top();
  const Range whole = range();
  m_window.wheel(quarter(), -1);
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("scrolled tracks"), [&](const UiMapFile& map) {
    const Control* row = map.find(QStringLiteral("row.cpu:1.actions"));
    return row != nullptr && row->rect.top() < before - 20;
  }));
  EXPECT_EQ(range().from, whole.from) << "time stays";
  m_window.wheel(quarter(), 1);
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("tracks as before"), [&](const UiMapFile& map) {
    const Control* row = map.find(QStringLiteral("row.cpu:1.actions"));
    return row != nullptr && row->rect.top() == before;
  }));
  ASSERT_TRUE(zoomIn());
  const Range near = range();
  m_window.wheel(quarter(), -2, QStringLiteral("shift"));
  ASSERT_TRUE(waitForRange(QStringLiteral("a later view"), [&](Range now) {
    return std::abs(now.from - near.from - 0.2 * near.span()) < 0.01 * near.span();
  }));
  EXPECT_NEAR(range().span(), near.span(), 1.0);
  EXPECT_EQ(rectOf(QStringLiteral("row.cpu:1.actions")).top(), before) << "tracks stay";
}

TEST_F(TimelineInput, TheMiddleButtonDragsTimeAndTracks) {
  ASSERT_TRUE(zoomIn());
  const Range near = range();
  const int before = rectOf(QStringLiteral("row.cpu:1.actions")).top();
  const QPoint from = quarter();
  m_window.press(from, from + QPoint(-120, -30), {.button = 2});
  m_window.release();
  const double pixel = near.span() / rectOf(QStringLiteral("timelineRange")).width();
  ASSERT_TRUE(waitForRange(QStringLiteral("a view dragged along"), [&](Range now) {
    return std::abs(now.from - near.from - 120.0 * pixel) < 3.0 * pixel;
  }));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("tracks dragged along"), [&](const UiMapFile& map) {
    const Control* row = map.find(QStringLiteral("row.cpu:1.actions"));
    return row != nullptr && std::abs(row->rect.top() - before + 30) <= 3;
  }));
}

TEST_F(TimelineInput, ADoubleClickZoomsToAnEventAndZeroShowsAll) {
  const Range whole = range();
  m_window.key(QStringLiteral("Escape"));
  ASSERT_TRUE(m_window.click(QStringLiteral("action.F0.cpu:3"), {.times = 2, .modifier = {}}));
  ASSERT_TRUE(waitForRange(QStringLiteral("a third of the view"), [](Range now) {
    return std::abs(now.span() - 12'000.0) < 1.0 && std::abs(now.from - 8'000.0) < 1.0;
  }));
  m_window.key(QStringLiteral("0"));
  ASSERT_TRUE(
      waitForRange(QStringLiteral("all"), [&](Range now) { return now.span() == whole.span(); }));
}

TEST_F(TimelineInput, BracketsWalkTheGapsBothWays) {
  m_window.key(QStringLiteral("bracketright"));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("selectionTitle"), QStringLiteral("gap on")));
  const QString first = m_window.map().textOf(QStringLiteral("selectionTitle"));
  m_window.key(QStringLiteral("bracketright"));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("another gap"), [&](const UiMapFile& map) {
    return map.textOf(QStringLiteral("selectionTitle")) != first;
  }));
  m_window.key(QStringLiteral("bracketleft"));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("selectionTitle"), first));
}

TEST_F(TimelineInput, StopAndCommaWalkTheEventsOfATrackAndEFoldsIt) {
  const auto says = [this](const char* title) {
    return m_window.waitForText(QStringLiteral("selectionTitle"), QString::fromLatin1(title));
  };
  ASSERT_TRUE(m_window.click(QStringLiteral("action.F0.cpu:0")));
  ASSERT_TRUE(says("F0 on cpu:0"));
  m_window.moveTo({2, 2});  // the mouse must not be over an action
  m_window.key(QStringLiteral("period"));
  ASSERT_TRUE(says("B0 on cpu:0"));
  m_window.key(QStringLiteral("comma"));
  ASSERT_TRUE(says("F0 on cpu:0"));
  m_window.key(QStringLiteral("e"));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("a folded device"), [](const UiMapFile& map) {
    return map.find(QStringLiteral("row.cpu:0.actions")) == nullptr &&
           map.find(QStringLiteral("row.cpu:1.actions")) != nullptr;
  }));
  m_window.key(QStringLiteral("e"));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("row.cpu:0.actions")));
}

TEST_F(TimelineInput, NWalksTheMatchesAndTheLegendHidesThem) {
  m_window.key(QStringLiteral("slash"));
  m_window.type(QStringLiteral("f0"));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("findCount"), QStringLiteral("12")));
  m_window.key(QStringLiteral("Escape"));
  for (const char* place : {"1 of 12", "2 of 12", "3 of 12"}) {
    m_window.key(QStringLiteral("n"));
    ASSERT_TRUE(m_window.waitForText(QStringLiteral("findCount"), QString::fromLatin1(place)));
  }
  ASSERT_TRUE(
      m_window.waitForText(QStringLiteral("selectionTitle"), QStringLiteral("F0 on cpu:2")));
  ASSERT_TRUE(m_window.click(QStringLiteral("legend.F")));
  ASSERT_TRUE(
      m_window.waitForText(QStringLiteral("findCount"), QStringLiteral("none (12 hidden)")));
  ASSERT_TRUE(m_window.click(QStringLiteral("legend.F")));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("findCount"), QStringLiteral("12")));
}

TEST_F(TimelineInput, AClickOnTheGroundOfTheOverviewGoesThere) {
  ASSERT_TRUE(zoomIn());
  const Range near = range();
  const QRect left = rectOf(QStringLiteral("minimap.left"));
  const QRect right = rectOf(QStringLiteral("minimap.right"));
  // Its box is as wide as its share of the step: move as far again to its right.
  const int wide = right.left() - left.right();
  m_window.clickAt(QPoint(right.right() + wide, right.center().y()));
  ASSERT_TRUE(waitForRange(QStringLiteral("a later view"), [&](Range now) {
    return now.from > near.to && std::abs(now.span() - near.span()) < 1.0;
  }));
  const QRect moved = rectOf(QStringLiteral("minimap.left"));
  EXPECT_NEAR((moved.right() + rectOf(QStringLiteral("minimap.right")).left()) / 2.0,
              right.right() + wide, 8.0)
      << "the box is about where the click was";
}

TEST_F(TimelineInput, LostRecordsAreAYellowBandWithTheirCount) {
  const QRect band = rectOf(QStringLiteral("notice"));
  EXPECT_TRUE(m_window.map().textOf(QStringLiteral("notice")).contains(QStringLiteral("7")))
      << m_window.map().textOf(QStringLiteral("notice")).toStdString();
  m_window.moveTo({2, 2});
  const QColor ground = ui::lightTheme().control.warningGround;
  EXPECT_GT(count(band, ground), band.width() * band.height() / 2);
  EXPECT_EQ(m_window.map().textOf(QStringLiteral("lostRecords")), QStringLiteral("7 records lost"));
}

TEST_F(TimelineInput, ACauseThatIsClickedMarksItsGapsUntilEscape) {
  const QRect lanes = rectOf(QStringLiteral("timelineRange"));
  const QRect view = rectOf(QStringLiteral("timelineView"));
  const QRect part(lanes.left(), lanes.bottom() + 1, lanes.width(), view.bottom() - lanes.bottom());
  const QColor accent = ui::lightTheme().control.accent;
  const QRect table = rectOf(QStringLiteral("idleCauses"));
  m_window.moveTo({2, 2});
  const int before = count(part, accent);
  // Busy, Warm-up, Starved below the header.
  const QPoint starved(table.left() + 60, table.top() + 22 + 3 * 18);
  m_window.clickAt(starved);
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("marked gaps"), [&](const UiMapFile&) {
    return count(part, accent) > before + 2'000;
  }));
  m_window.key(QStringLiteral("Escape"));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("no marks"), [&](const UiMapFile&) {
    return count(part, accent) < before + 200;
  }));
}

TEST_F(TimelineInput, TheMouseOnAnActionOutlinesItsMicroBatchEverywhere) {
  const QColor ink = ui::lightTheme().control.text;
  const QRect other = rectOf(QStringLiteral("action.B0.cpu:2"));
  m_window.moveTo({2, 2});
  const int before = count(other, ink);
  m_window.moveTo(rectOf(QStringLiteral("action.F0.cpu:0")).center());
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("an outline"), [&](const UiMapFile&) {
    return count(other, ink) > before + 2 * other.height();
  }));
}

TEST_F(TimelineInput, TheTableOfEventsSortsAndFollowsTheSelection) {
  ASSERT_TRUE(m_window.click(QStringLiteral("action.B0.cpu:2")));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("events.selected"), QStringLiteral("B0 cpu:2")));
  const QString byStart = m_window.map().valueOf(QStringLiteral("events.selected"));
  EXPECT_EQ(byStart, QStringLiteral("21")) << "after twelve forwards and nine backwards";
  ASSERT_TRUE(m_window.click(QStringLiteral("events.sort.action")));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("by name"), [](const UiMapFile& map) {
    return map.valueOf(QStringLiteral("events.sort.action")) == QStringLiteral("ascending") &&
           map.valueOf(QStringLiteral("events.selected")) == QStringLiteral("9");
  }));
  // At another place on it: two clicks at one place would be a double click.
  ASSERT_TRUE(m_window.click(QStringLiteral("events.sort.action"),
                             {.times = 1, .modifier = {}, .acrossX = 0.2}));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("the other way"), [](const UiMapFile& map) {
    return map.valueOf(QStringLiteral("events.selected")) == QStringLiteral("21") &&
           map.textOf(QStringLiteral("events.selected")).startsWith(QStringLiteral("B0 cpu:2"));
  }));
}

TEST_F(TimelineInput, PanelsAreTabsWhereThePageIsNarrow) {
  EXPECT_EQ(m_window.map().find(QStringLiteral("timelineTabs")), nullptr);
  ASSERT_TRUE(openAt(QSize(1024, 700)));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("selectionTitle")));
  EXPECT_EQ(m_window.map().find(QStringLiteral("idleCauses")), nullptr);
  ASSERT_TRUE(m_window.click(QStringLiteral("timelineTabs.Idle causes")));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("idleCauses")));
  ASSERT_TRUE(m_window.click(QStringLiteral("timelineTabs.Events")));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("stepEvents")));
  EXPECT_EQ(m_window.map().find(QStringLiteral("selectionTitle")), nullptr);
  ASSERT_TRUE(m_window.click(QStringLiteral("timelineTabs.Selection")));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("selectionTitle")));
}

/// A run's own step beside its prediction.
TEST_F(TimelineInput, ThePredictionIsAlignedAtTheFirstDifferenceAndBack) {
  ASSERT_NO_FATAL_FAILURE(runToy(path(QStringLiteral("run"))));
  ASSERT_TRUE(m_window.open({.file = path(QStringLiteral("run")),
                             .page = QStringLiteral("timeline"),
                             .size = QSize(1440, 900)}));
  ASSERT_TRUE(m_window.choose(QStringLiteral("variant"), QStringLiteral("pipeline")));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("a switch"), [](const UiMapFile& map) {
    return map.isEnabled(QStringLiteral("alignFirstDifference")) &&
           map.find(QStringLiteral("predictedEnd")) != nullptr;
  }));
  EXPECT_EQ(m_window.map().valueOf(QStringLiteral("alignStepStart")), QStringLiteral("true"));
  const QRect end = rectOf(QStringLiteral("predictedEnd"));
  ASSERT_TRUE(m_window.click(QStringLiteral("alignFirstDifference")));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("a moved prediction"), [&](const UiMapFile& map) {
    const Control* moved = map.find(QStringLiteral("predictedEnd"));
    return map.valueOf(QStringLiteral("alignFirstDifference")) == QStringLiteral("true") &&
           (moved == nullptr || moved->rect != end);
  }));
  ASSERT_TRUE(m_window.click(QStringLiteral("alignStepStart")));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("it is back"), [&](const UiMapFile& map) {
    const Control* back = map.find(QStringLiteral("predictedEnd"));
    return back != nullptr && back->rect == end;
  }));
}

}  // namespace
}  // namespace stagelane::gui
