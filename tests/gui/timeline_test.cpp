// The Timeline page: a trace opened by argument, then zoom, pan, selection, areas, finding, pins,
// folding, the legend, steps and measuring, by mouse and keys.

#include <QFile>
#include <cmath>

#include "engine/trace/trace_builder.h"
#include "profiler/formats/chrome.h"
#include "profiler/formats/perfetto.h"
#include "tests/gui/timeline_window.h"

namespace stagelane::gui {
namespace {

using trace::Category;
using trace::TrackKind;

constexpr TimeNs kStep = 100'000;

/// Two workers, two steps of two micro-batches, operators in the second worker's actions.
trace::TracePtr twoSteps() {
  trace::TraceBuilder builder;
  std::vector<std::uint16_t> tracks;
  for (const char* device : {"cpu:0", "cpu:1"}) {
    tracks.push_back(builder.track(builder.device(device), TrackKind::Compute, "compute"));
  }
  const std::uint16_t operators =
      builder.track(builder.device("cpu:1"), TrackKind::Operators, "operators");
  const auto add = [&](std::uint16_t track, TimeNs start, TimeNs duration, const char* name,
                       Category category, int stage, int microBatch) {
    trace::TraceBuilder::NewEvent event;
    event.startNs = start;
    event.durationNs = duration;
    event.name = name;
    event.category = category;
    event.track = track;
    event.stage = StageId{stage};
    event.microBatch = MicroBatchId{microBatch};
    builder.add(event);
  };
  for (TimeNs at : {TimeNs{0}, 2 * kStep}) {
    add(tracks[0], at, 10'000, "F0", Category::Forward, 0, 0);
    add(tracks[0], at + 10'000, 10'000, "F1", Category::Forward, 0, 1);
    add(tracks[1], at + 12'000, 10'000, "F0", Category::Forward, 1, 0);
    add(tracks[1], at + 22'000, 15'000, "B0", Category::Backward, 1, 0);
    add(tracks[1], at + 37'000, 10'000, "F1", Category::Forward, 1, 1);
    add(tracks[1], at + 47'000, 15'000, "B1", Category::Backward, 1, 1);
    add(tracks[0], at + 40'000, 15'000, "B0", Category::Backward, 0, 0);
    add(tracks[0], at + 65'000, 15'000, "B1", Category::Backward, 0, 1);
    add(tracks[0], at + 95'000, 5'000, "OPT", Category::Optimizer, -1, -1);
    add(operators, at + 13'000, 8'000, "aten::conv2d", Category::Operator, -1, -1);
    add(operators, at + 14'000, 5'000, "aten::mkldnn", Category::Operator, -1, -1);
    builder.addStep({.repeat = at == 0 ? 0 : 1, .step = 0, .startNs = at, .endNs = at + kStep});
  }
  return std::move(builder).build();
}

class Timeline : public TimelineWindow {
 protected:
  void SetUp() override {
    WindowTest::SetUp();
    const QString file = path(QStringLiteral("two.pftrace"));
    ASSERT_TRUE(formats::writePerfetto(*twoSteps(), file.toStdString()));
    ASSERT_TRUE(openTrace(file, QSize(1440, 900)));
  }
};

TEST_F(Timeline, ZoomsAboutTheMouseAndByKeysAndComesBack) {
  const QRect lanes = rectOf(QStringLiteral("timelineRange"));
  const QPoint at(lanes.left() + lanes.width() / 4, lanes.bottom() + 60);
  const Range whole = range();
  EXPECT_DOUBLE_EQ(whole.span(), static_cast<double>(kStep));
  const double under = whole.from + whole.span() / 4.0;
  m_window.wheel(at, 4, QStringLiteral("ctrl"));
  ASSERT_TRUE(waitForRange(QStringLiteral("zoom"), [&](Range now) {
    return std::abs(now.span() - whole.span() / std::pow(1.25, 4)) < 1.0;
  }));
  const Range zoomed = range();
  const double pixel = zoomed.span() / lanes.width();
  EXPECT_NEAR(zoomed.from + zoomed.span() / 4.0, under, 1.5 * pixel);

  m_window.key(QStringLiteral("d"));
  ASSERT_TRUE(waitForRange(QStringLiteral("pan"), [&](Range now) {
    return std::abs(now.from - zoomed.from - 0.1 * zoomed.span()) < 2.0 * pixel;
  }));
  m_window.key(QStringLiteral("a"));
  m_window.key(QStringLiteral("w"));
  ASSERT_TRUE(waitForRange(QStringLiteral("W"),
                           [&](Range now) { return now.span() < zoomed.span() * 0.7; }));
  m_window.key(QStringLiteral("BackSpace"));
  ASSERT_TRUE(waitForRange(QStringLiteral("undo"),
                           [&](Range now) { return std::abs(now.span() - zoomed.span()) < 1.0; }));
  m_window.key(QStringLiteral("s"));
  ASSERT_TRUE(waitForRange(QStringLiteral("S"),
                           [&](Range now) { return now.span() > zoomed.span() * 1.3; }));
  m_window.wheel(at, 60, QStringLiteral("ctrl"));
  ASSERT_TRUE(waitForRange(QStringLiteral("the closest"),
                           [&](Range now) { return std::abs(now.span() - 10.0) < 0.01; }));
  m_window.key(QStringLiteral("f"));
  ASSERT_TRUE(
      waitForRange(QStringLiteral("fit"), [&](Range now) { return now.span() == whole.span(); }));
}

TEST_F(Timeline, SelectsActionsAndGapsAndSaysWhatTheyWere) {
  ASSERT_TRUE(m_window.click(QStringLiteral("action.F1.cpu:1")));
  ASSERT_TRUE(
      m_window.waitForText(QStringLiteral("selectionTitle"), QStringLiteral("F1 on cpu:1")));
  m_window.key(QStringLiteral("bracketright"));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("selectionTitle"), QStringLiteral("gap on")));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("selectionText"), QStringLiteral("idle")));
  m_window.key(QStringLiteral("Escape"));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("selectionTitle"), QStringLiteral("Nothing")));
}

TEST_F(Timeline, CountsAnAreaExactlyToItsEdges) {
  // From the middle of F0 over F1 into the gap, on the first worker's actions alone.
  const QRect f0 = rectOf(QStringLiteral("action.F0.cpu:0"));
  const QRect f1 = rectOf(QStringLiteral("action.F1.cpu:0"));
  m_window.press(f0.center(), QPoint(f1.right() + 60, f1.center().y()));
  m_window.release();
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("selectionTitle"), QStringLiteral("2 events")));
  const QString title = m_window.map().textOf(QStringLiteral("selectionTitle"));
  EXPECT_TRUE(title.contains(QStringLiteral("1 cut off"))) << title.toStdString();
  // "4.90 µs – 24.9 µs: 2 events, 15.1 µs, …": F0 from the left edge on, and all of F1.
  const double from = title.section(QChar(u' '), 0, 0).toDouble();
  const double total =
      title.section(QStringLiteral("events, "), 1).section(QChar(u' '), 0, 0).toDouble();
  EXPECT_NEAR(total, 10.0 - from + 10.0, 0.06) << title.toStdString();
  EXPECT_EQ(m_window.map().textOf(QStringLiteral("eventsNote")), QStringLiteral("2 in this area"));
  m_window.key(QStringLiteral("Return"));
  ASSERT_TRUE(waitForRange(QStringLiteral("the area"), [](Range now) {
    return now.from > 4'000.0 && now.from < 6'000.0 && now.span() < 40'000.0;
  }));
}

TEST_F(Timeline, FindsEventsAndWalksThem) {
  m_window.key(QStringLiteral("slash"));
  m_window.type(QStringLiteral("B1"));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("findCount"), QStringLiteral("2")));
  m_window.key(QStringLiteral("Return"));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("findCount"), QStringLiteral("1 of 2")));
  ASSERT_TRUE(
      m_window.waitForText(QStringLiteral("selectionTitle"), QStringLiteral("B1 on cpu:1")));
  m_window.key(QStringLiteral("Return"));
  ASSERT_TRUE(
      m_window.waitForText(QStringLiteral("selectionTitle"), QStringLiteral("B1 on cpu:0")));
  m_window.key(QStringLiteral("Escape"));
  m_window.key(QStringLiteral("shift+n"));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("findCount"), QStringLiteral("1 of 2")));
  ASSERT_TRUE(m_window.replaceText(QStringLiteral("find"), QStringLiteral("nowhere")));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("findCount"), QStringLiteral("none")));
}

TEST_F(Timeline, PinsTracksAndFoldsDevicesAndOperators) {
  ASSERT_TRUE(m_window.click(QStringLiteral("pin.row.cpu:1.actions")));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("pinned.cpu:1 actions")));
  // An area that begins there covers only that track.
  const QRect pinned = rectOf(QStringLiteral("pinned.cpu:1 actions"));
  const QRect action = rectOf(QStringLiteral("action.F0.cpu:1"));
  const int y = pinned.center().y();
  m_window.press(QPoint(action.left() - 10, y), QPoint(action.right() - 4, y));
  m_window.release();
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("eventsNote"), QStringLiteral("1 in this area")));
  m_window.key(QStringLiteral("Escape"));
  ASSERT_TRUE(m_window.click(QStringLiteral("pin.pinned.cpu:1 actions")));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("no pin"), [](const UiMapFile& map) {
    return map.find(QStringLiteral("pinned.cpu:1 actions")) == nullptr;
  }));

  ASSERT_EQ(m_window.map().valueOf(QStringLiteral("row.cpu:1.operators")),
            QStringLiteral("folded"));
  ASSERT_TRUE(m_window.click(QStringLiteral("row.cpu:1.operators")));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("open operators"), [](const UiMapFile& map) {
    return map.valueOf(QStringLiteral("row.cpu:1.operators")) == QStringLiteral("open");
  }));
  ASSERT_TRUE(m_window.click(QStringLiteral("fold.cpu:0")));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("a folded device"), [](const UiMapFile& map) {
    return map.find(QStringLiteral("row.cpu:0.actions")) == nullptr &&
           map.find(QStringLiteral("row.cpu:1.actions")) != nullptr;
  }));
}

TEST_F(Timeline, HidesWhatTheLegendSwitchesOff) {
  const QPoint corner = rectOf(QStringLiteral("rail")).topLeft();
  const QRect action = rectOf(QStringLiteral("action.B0.cpu:1")).translated(-corner);
  const QPoint at(action.left() + action.width() / 4, action.center().y());
  m_window.moveTo({2, 2});
  QColor shown;
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("a backward, which is orange"), [&](const auto&) {
    shown = m_window.picture().pixelColor(at);
    return shown.red() > 200 && shown.blue() < 120;
  }));
  ASSERT_TRUE(m_window.click(QStringLiteral("legend.B")));
  m_window.moveTo({2, 2});
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("no backward"), [&](const UiMapFile&) {
    return m_window.picture().pixelColor(at) != shown;
  }));
  ASSERT_TRUE(m_window.click(QStringLiteral("legend.B")));
  m_window.moveTo({2, 2});
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("backward again"), [&](const UiMapFile&) {
    return m_window.picture().pixelColor(at) == shown;
  }));
}

TEST_F(Timeline, StepsThroughTheStepsAndMeasures) {
  const QString first = m_window.map().textOf(QStringLiteral("step"));
  const bool median = m_window.map().isEnabled(QStringLiteral("nextStep"));
  ASSERT_TRUE(m_window.click(median ? QStringLiteral("nextStep") : QStringLiteral("previousStep")));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("another step"), [&](const UiMapFile& map) {
    return map.textOf(QStringLiteral("step")) != first;
  }));
  ASSERT_TRUE(m_window.click(QStringLiteral("measureMode")));
  const QRect f0 = rectOf(QStringLiteral("action.F0.cpu:0"));
  const QRect f1 = rectOf(QStringLiteral("action.F1.cpu:0"));
  // Not quite at the edges: both ends snap.
  m_window.press(QPoint(f0.left() + 4, f0.center().y()), QPoint(f1.right() - 4, f1.center().y()));
  m_window.release();
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("the length"), [](const UiMapFile& map) {
    return map.valueOf(QStringLiteral("measure")) == QStringLiteral("20000");
  }));
}

TEST_F(Timeline, GoesBackToTheExperimentAndKeepsATraceThatCannotBeReadAway) {
  ASSERT_TRUE(m_window.click(QStringLiteral("closeTrace")));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("no trace"), [](const UiMapFile& map) {
    return map.find(QStringLiteral("closeTrace")) == nullptr;
  }));
  QFile broken(path(QStringLiteral("broken.pftrace")));
  ASSERT_TRUE(broken.open(QIODevice::WriteOnly));
  broken.write("no trace at all");
  broken.close();
  ASSERT_TRUE(m_window.open({.file = broken.fileName(), .page = QStringLiteral("timeline")}));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("closeTrace")));
  EXPECT_TRUE(
      m_window.map().textOf(QStringLiteral("traceBanner")).contains(QStringLiteral("Cannot show")));
}

TEST_F(Timeline, OpensChromeJsonAtTheSmallestSize) {
  const QString file = path(QStringLiteral("two.json"));
  ASSERT_TRUE(formats::writeChrome(*twoSteps(), file.toStdString()));
  ASSERT_TRUE(m_window.open({.file = file,
                             .page = QStringLiteral("timeline"),
                             .size = QSize(1024, 700),
                             .theme = QStringLiteral("dark")}));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("action.F0.cpu:0")));
  const UiMapFile map = m_window.map();
  for (const char* name : {"find", "export", "measureMode", "fit", "legend.F"}) {
    const Control* control = map.find(QString::fromLatin1(name));
    ASSERT_NE(control, nullptr) << name;
    EXPECT_GE(control->rect.width(), 16) << name << " is squeezed";
  }
}

TEST_F(Timeline, AGapLeadsToWhatWasWaitedFor) {
  const QRect f1 = rectOf(QStringLiteral("action.F1.cpu:0"));
  const QRect b0 = rectOf(QStringLiteral("action.B0.cpu:0"));
  m_window.clickAt(QPoint((f1.right() + b0.left()) / 2, f1.center().y()));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("selectionTitle"),
                                   QStringLiteral("gap on cpu:0, 20.0 – 40.0 µs, before B0")));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("gapPart.0"),
                                   QStringLiteral("until B0 on cpu:1 ended at 37.0 µs")));
  ASSERT_TRUE(
      m_window.waitForText(QStringLiteral("goToCulprit"), QStringLiteral("Go to B0 on cpu:1")));
  ASSERT_TRUE(m_window.click(QStringLiteral("goToCulprit")));
  ASSERT_TRUE(
      m_window.waitForText(QStringLiteral("selectionTitle"), QStringLiteral("B0 on cpu:1")));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("nothing more to go to"), [](const UiMapFile& map) {
    return map.find(QStringLiteral("goToCulprit")) == nullptr;
  }));
}

TEST_F(Timeline, ItsKeysWorkAfterBoxesAndTablesWereUsed) {
  const Range whole = range();
  ASSERT_TRUE(m_window.choose(QStringLiteral("colorBy"), QStringLiteral("by stage")));
  m_window.key(QStringLiteral("w"));
  ASSERT_TRUE(waitForRange(QStringLiteral("W after a box"),
                           [&](Range now) { return now.span() < whole.span() * 0.7; }));
  EXPECT_EQ(m_window.map().textOf(QStringLiteral("colorBy")), QStringLiteral("by stage"));
  ASSERT_TRUE(
      m_window.click(QStringLiteral("stepEvents"), {.times = 1, .modifier = {}, .acrossY = 0.4}));
  m_window.key(QStringLiteral("f"));
  ASSERT_TRUE(waitForRange(QStringLiteral("F after a table"),
                           [&](Range now) { return now.span() == whole.span(); }));
  m_window.key(QStringLiteral("bracketright"));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("selectionTitle"), QStringLiteral("gap on")));
}

}  // namespace
}  // namespace stagelane::gui
