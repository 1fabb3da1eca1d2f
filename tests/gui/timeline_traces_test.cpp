// Traces of all kinds on the Timeline: compressed ones and databases by argument, operators of
// another repeat, a failed variant, launches and their kernels, tables of many events.

#include <QFile>
#include <algorithm>
#include <cmath>

#include "engine/trace/trace_builder.h"
#include "profiler/formats/perfetto.h"
#include "tests/gui/ui_map_rules.h"
#include "tests/gui/window_test.h"
#include "tests/support/paths.h"
#include "ui/kit/theme.h"

namespace stagelane::gui {
namespace {

using trace::Category;
using trace::TrackKind;

constexpr TimeNs kStep = 100'000;

class TimelineTraces : public WindowTest {
 protected:
  struct Item {
    std::uint16_t track = 0;
    TimeNs startNs = 0;
    TimeNs durationNs = 0;
    const char* name = "";
    Category category = Category::Forward;
    std::uint32_t correlation = 0;
  };
  std::uint32_t add(const Item& item) {
    trace::TraceBuilder::NewEvent event;
    event.startNs = item.startNs;
    event.durationNs = item.durationNs;
    event.name = item.name;
    event.category = item.category;
    event.track = item.track;
    event.correlation = item.correlation;
    return m_builder.add(event);
  }

  [[nodiscard]] bool openBuilt() {
    const QString file = path(QStringLiteral("built.pftrace"));
    const trace::TracePtr built = std::move(m_builder).build();
    return formats::writePerfetto(*built, file.toStdString()).has_value() && openTrace(file);
  }

  [[nodiscard]] bool openTrace(const QString& file) {
    return m_window.open(
               {.file = file, .page = QStringLiteral("timeline"), .size = QSize(1440, 900)}) &&
           m_window.waitForControl(QStringLiteral("closeTrace"));
  }

  [[nodiscard]] double span() const {
    const QString value = m_window.map().valueOf(QStringLiteral("timelineRange"));
    return value.section(QChar(u' '), 1).toDouble() - value.section(QChar(u' '), 0, 0).toDouble();
  }

  trace::TraceBuilder m_builder;
};

TEST_F(TimelineTraces, PackedOnesAndDatabasesOpenByArgument) {
  for (const char* file : {"packed/a.json.zst", "nsight/export.sqlite"}) {
    ASSERT_TRUE(openTrace(QString::fromStdString(checkout::testData() + "/fuzz/") +
                          QString::fromLatin1(file)));
    ASSERT_TRUE(m_window.waitForText(QStringLiteral("traceBanner"), QStringLiteral("Trace ")));
    EXPECT_TRUE(
        m_window.map().textOf(QStringLiteral("traceBanner")).contains(QStringLiteral("event")))
        << file << m_window.map().textOf(QStringLiteral("traceBanner")).toStdString();
  }
}

TEST_F(TimelineTraces, TheEdgesOfTheOverviewsBoxNarrowTheView) {
  const auto track = m_builder.track(m_builder.device("cpu:0"), TrackKind::Compute, "compute");
  add({.track = track, .startNs = 0, .durationNs = kStep, .name = "F0"});
  m_builder.addStep({.startNs = 0, .endNs = kStep});
  ASSERT_TRUE(openBuilt());
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("minimap.right")));
  const QRect left = m_window.map().find(QStringLiteral("minimap.left"))->rect;
  const QRect right = m_window.map().find(QStringLiteral("minimap.right"))->rect;
  const double whole = span();
  m_window.press(QPoint(right.left(), right.center().y()),
                 QPoint((left.right() + right.left()) / 2, right.center().y()));
  m_window.release();
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("half of it"), [&](const UiMapFile&) {
    return std::abs(span() / whole - 0.5) < 0.02;
  }));
  // Dragging the box by its middle moves it without resizing.
  const QRect edge = m_window.map().find(QStringLiteral("minimap.right"))->rect;
  const QPoint middle((left.right() + edge.left()) / 2, edge.center().y());
  m_window.press(middle, middle + QPoint(100, 0));
  m_window.release();
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("the moved box"), [&](const UiMapFile& map) {
    const Control* moved = map.find(QStringLiteral("minimap.right"));
    return moved != nullptr && std::abs(moved->rect.left() - edge.left() - 100) < 6;
  }));
  EXPECT_NEAR(span() / whole, 0.5, 0.02);
}

TEST_F(TimelineTraces, ALineLeadsToTheRepeatThatHasOperators) {
  const auto device = m_builder.device("cpu:0");
  const auto actions = m_builder.track(device, TrackKind::Compute, "compute");
  const auto operators = m_builder.track(device, TrackKind::Operators, "operators");
  for (int repeat = 0; repeat < 2; ++repeat) {
    const TimeNs at = 2 * kStep * repeat;
    add({.track = actions, .startNs = at, .durationNs = kStep, .name = "F0"});
    m_builder.addStep({.repeat = repeat, .startNs = at, .endNs = at + kStep, .extra = repeat == 1});
  }
  add({.track = operators,
       .startNs = 2 * kStep + 100,
       .durationNs = 500,
       .name = "aten::mm",
       .category = Category::Operator});
  ASSERT_TRUE(openBuilt());
  ASSERT_TRUE(m_window.click(QStringLiteral("showOperators")));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("step"), QStringLiteral("extra")));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("no such line"), [](const UiMapFile& map) {
    return map.find(QStringLiteral("showOperators")) == nullptr;
  }));
}

TEST_F(TimelineTraces, OperatorsThatARunRecordedAreBelowItsActions) {
  ASSERT_NO_FATAL_FAILURE(runToy(path(QStringLiteral("run")),
                                 {QStringLiteral("--set"), QStringLiteral("/trace=\"ops\"")}));
  ASSERT_TRUE(m_window.open({.file = path(QStringLiteral("run")), .size = QSize(1440, 900)}));
  ASSERT_TRUE(m_window.click(QStringLiteral("variant.model-parallel")));
  ASSERT_TRUE(m_window.click(QStringLiteral("rail.timeline")));
  ASSERT_TRUE(m_window.click(QStringLiteral("showOperators")));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("step"), QStringLiteral("extra")));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("row.cpu:1.ops")));
  m_window.key(QStringLiteral("slash"));
  m_window.type(QStringLiteral("aten::linear on:cpu:1"));
  m_window.key(QStringLiteral("Return"));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("selectionTitle"),
                                   QStringLiteral("aten::linear on cpu:1")));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("findCount"), QStringLiteral("1 of ")));
}

TEST_F(TimelineTraces, ALaunchThatIsSelectedPointsToItsKernel) {
  const auto host = m_builder.track(m_builder.device("cpu:0"), TrackKind::Operators, "runtime");
  const auto gpu = m_builder.track(m_builder.device("cuda:0"), TrackKind::Kernels, "stream 7");
  add({.track = host,
       .startNs = 1'000,
       .durationNs = 4'000,
       .name = "cudaLaunchKernel",
       .category = Category::Other,
       .correlation = 42});
  add({.track = gpu,
       .startNs = 80'000,
       .durationNs = 15'000,
       .name = "gemm",
       .category = Category::Kernel,
       .correlation = 42});
  m_builder.addStep({.startNs = 0, .endNs = kStep});
  ASSERT_TRUE(openBuilt());
  const QRect lanes = m_window.map().find(QStringLiteral("timelineRange"))->rect;
  const QPoint corner = m_window.map().find(QStringLiteral("rail"))->rect.topLeft();
  // Between the two rows, where neither has anything.
  const QRect between =
      QRect(lanes.left() + lanes.width() * 2 / 5, lanes.bottom() + 1, lanes.width() / 5, 250)
          .translated(-corner);
  m_window.moveTo({2, 2});
  // In the color of the page's text; there is no text in between.
  const QRgb ink = ui::lightTheme().control.text.rgb();
  const auto inked = [&] {
    const QImage picture = m_window.picture().copy(between);
    int count = 0;
    for (int y = 0; y < picture.height(); ++y) {
      for (int x = 0; x < picture.width(); ++x) count += picture.pixel(x, y) == ink ? 1 : 0;
    }
    return count;
  };
  const int before = inked();
  m_window.key(QStringLiteral("slash"));
  m_window.type(QStringLiteral("cudaLaunch"));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("findCount"), QStringLiteral("1")));
  m_window.key(QStringLiteral("Return"));
  ASSERT_TRUE(
      m_window.waitForText(QStringLiteral("selectionTitle"), QStringLiteral("cudaLaunchKernel")));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("an arrow"), [&](const UiMapFile&) {
    return inked() > before + between.width() / 4;
  }));
  keepPicture(m_window.picture(), QStringLiteral("timeline-flow-light-1440"));
}

TEST_F(TimelineTraces, ATableOfManyEventsIsWrittenBesideTheWindow) {
  constexpr int kEvents = 150'000;
  const auto track = m_builder.track(m_builder.device("cpu:0"), TrackKind::Compute, "compute");
  for (int at = 0; at < kEvents; ++at) {
    add({.track = track, .startNs = at * 100, .durationNs = 90, .name = "F0"});
  }
  m_builder.addStep({.startNs = 0, .endNs = kEvents * TimeNs{100}});
  ASSERT_TRUE(openBuilt());
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("minimap.right")));
  ASSERT_TRUE(m_window.click(QStringLiteral("export")));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("exportFormat")));
  ASSERT_TRUE(m_window.choose(QStringLiteral("exportFormat"), QStringLiteral("CSV")));
  EXPECT_FALSE(m_window.map().isEnabled(QStringLiteral("exportCopy")));
  const QString file = path(QStringLiteral("events.csv"));
  ASSERT_TRUE(m_window.replaceText(QStringLiteral("exportPath"), file));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("exportPath"), file));
  ASSERT_TRUE(m_window.click(QStringLiteral("exportSave")));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("the dialog to close"), [](const UiMapFile& map) {
    return map.find(QStringLiteral("exportDialog")) == nullptr;
  }));
  QFile table(file);
  ASSERT_TRUE(table.open(QIODevice::ReadOnly));
  EXPECT_EQ(table.readAll().count('\n'), kEvents + 1);
}

/// A run one of whose variants failed after it had been measured.
class FailedVariant : public TimelineTraces {
 protected:
  void SetUp() override {
    WindowTest::SetUp();
    ASSERT_NO_FATAL_FAILURE(runToy(folder()));
    QFile events(folder() + QStringLiteral("/events.jsonl"));
    ASSERT_TRUE(events.open(QIODevice::ReadOnly));
    QByteArray kept;
    for (QByteArray line = events.readLine(); !line.isEmpty(); line = events.readLine()) {
      if (line.contains("\"finished\"")) continue;
      kept += line;
      if (line.contains("\"variant_done\"") && line.contains("\"model-parallel\"")) failed = line;
    }
    events.close();
    ASSERT_FALSE(failed.isEmpty());
    failed.replace("\"status\":\"done\"",
                   "\"status\":\"failed\",\"reason\":\"cpu:1 ran out of memory\"");
    ASSERT_TRUE(events.open(QIODevice::WriteOnly));
    events.write(kept + failed + "{\"event\":\"canceled\",\"t_ns\":9000000000}\n");
    events.close();
    QFile::remove(folder() + QStringLiteral("/result.json"));
  }
  [[nodiscard]] QString folder() const { return path(QStringLiteral("run")); }
  /// At the very end of the step, from top to bottom: hatches have red in them, but no such column.
  [[nodiscard]] int redLine(const QRect& lanes, const QPoint& corner) {
    const QRect end(lanes.right() - 5, lanes.bottom() + 1, 8, 350);
    const QImage picture = m_window.picture().copy(end.translated(-corner));
    int most = 0;
    for (int x = 0; x < picture.width(); ++x) {
      int red = 0;
      for (int y = 0; y < picture.height(); ++y) {
        const QColor color = picture.pixelColor(x, y);
        red += color.red() > 150 && color.green() < 70 && color.blue() < 90 ? 1 : 0;
      }
      most = std::max(most, red);
    }
    return most;
  }

  QByteArray failed;
};

TEST_F(FailedVariant, HasNoRedLineInAPredictionBecauseNothingFailedThere) {
  ASSERT_TRUE(QFile::remove(folder() + QStringLiteral("/traces/model-parallel.pftrace")));
  ASSERT_TRUE(m_window.open({.file = folder(), .size = QSize(1440, 900)}));
  ASSERT_TRUE(m_window.click(QStringLiteral("variant.model-parallel")));
  ASSERT_TRUE(m_window.click(QStringLiteral("rail.timeline")));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("timelineRange")));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("timelineHeadline"), QStringLiteral("≈")));
  const QRect lanes = m_window.map().find(QStringLiteral("timelineRange"))->rect;
  const QPoint corner = m_window.map().find(QStringLiteral("rail"))->rect.topLeft();
  m_window.moveTo({2, 2});
  EXPECT_LT(redLine(lanes, corner), 20);
  const auto* step = m_window.map().find(QStringLiteral("step"));
  EXPECT_TRUE(step == nullptr || !step->text.contains(QStringLiteral("failure")));
}

TEST_F(FailedVariant, EndsWithARedLineOnItsTimeline) {
  ASSERT_TRUE(m_window.open({.file = folder(), .size = QSize(1440, 900)}));
  ASSERT_TRUE(m_window.click(QStringLiteral("variant.model-parallel")));
  ASSERT_TRUE(m_window.click(QStringLiteral("rail.timeline")));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("timelineRange")));
  const QRect lanes = m_window.map().find(QStringLiteral("timelineRange"))->rect;
  const QPoint corner = m_window.map().find(QStringLiteral("rail"))->rect.topLeft();
  m_window.moveTo({2, 2});
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("a red line"),
                               [&](const UiMapFile&) { return redLine(lanes, corner) > 300; }));
  keepPicture(m_window.picture(), QStringLiteral("timeline-failed-variant-light-1440"));
}

TEST_F(TimelineTraces, OneOfASweepsPointsIsNamedAndAnotherCanBeChosen) {
  ASSERT_NO_FATAL_FAILURE(runToy(path(QStringLiteral("run"))));
  ASSERT_TRUE(
      m_window.open({.file = path(QStringLiteral("run")), .page = QStringLiteral("timeline")}));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("timelineRange")));
  EXPECT_EQ(m_window.map().find(QStringLiteral("sweepPoint")), nullptr);
  ASSERT_TRUE(m_window.choose(QStringLiteral("variant"), QStringLiteral("pipeline")));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("sweepPoint"), QStringLiteral("tutorial")));
  const auto measured = [](const UiMapFile& map) {
    return map.textOf(QStringLiteral("timelineHeadline")).section(QStringLiteral("measured"), 1);
  };
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("a measured step"),
                               [&](const UiMapFile& map) { return !measured(map).isEmpty(); }));
  // The focus returned to the page with the choice.
  const QString whole = m_window.map().valueOf(QStringLiteral("timelineRange"));
  m_window.key(QStringLiteral("w"));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("W after a choice"), [&](const UiMapFile& map) {
    return map.valueOf(QStringLiteral("timelineRange")) != whole;
  }));
  ASSERT_TRUE(m_window.choose(QStringLiteral("sweepPoint"), QStringLiteral("1f1b")));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("its own step"), [&](const UiMapFile& map) {
    const QString step = map.valueOf(QStringLiteral("timelineRange"));
    return step != whole && !measured(map).isEmpty();
  }));
  ASSERT_TRUE(m_window.click(QStringLiteral("rail.plan")));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("sweepMember"), QStringLiteral("1f1b")));
}

TEST_F(TimelineTraces, NothingOfTheToolbarLiesOnSomethingElseAtTheLeastSize) {
  ASSERT_NO_FATAL_FAILURE(runToy(path(QStringLiteral("run"))));
  ASSERT_TRUE(m_window.open({.file = path(QStringLiteral("run")),
                             .page = QStringLiteral("timeline"),
                             .size = QSize(1024, 700)}));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("timelineRange")));
  ASSERT_TRUE(m_window.choose(QStringLiteral("variant"), QStringLiteral("pipeline")));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("sweepPoint")));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("timelineHeadline"), QStringLiteral("measured")));
  m_window.key(QStringLiteral("slash"));
  m_window.type(QStringLiteral("f"));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("findNext")));
  const UiMapFile map = m_window.map();
  keepPicture(m_window.picture(), QStringLiteral("timeline-toolbar-light-1024"));
  expectSound(map);
  std::vector<const Control*> bar;
  for (const char* name :
       {"sweepPoint", "previousStep", "step", "nextStep", "showPredicted", "alignFirstDifference",
        "colorBy", "previousGap", "nextGap", "measureMode", "fit", "find", "findCount",
        "findPrevious", "findNext", "timelineHeadline", "stepDifference", "export"}) {
    if (const Control* control = map.find(QString::fromLatin1(name))) bar.push_back(control);
  }
  for (std::size_t i = 0; i < bar.size(); ++i) {
    for (std::size_t j = i + 1; j < bar.size(); ++j) {
      EXPECT_FALSE(bar[i]->rect.intersects(bar[j]->rect))
          << bar[i]->name.toStdString() << " on " << bar[j]->name.toStdString();
    }
  }
  EXPECT_GE(map.find(QStringLiteral("find"))->rect.width(), 100);
  // Controls that were hidden for lack of space reappear.
  m_window.key(QStringLiteral("BackSpace"));
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("the buttons"), [&](const UiMapFile& now) {
    return now.find(QStringLiteral("findNext")) == nullptr &&
           now.find(QStringLiteral("measureMode")) != nullptr;
  }));
}

TEST_F(TimelineTraces, TheOverviewHasAllStepsAndAClickShowsAnother) {
  const auto track = m_builder.track(m_builder.device("cpu:0"), TrackKind::Compute, "compute");
  for (int repeat = 0; repeat < 2; ++repeat) {
    const TimeNs at = 5 * kStep * repeat;
    add({.track = track, .startNs = at, .durationNs = kStep / 2, .name = "F0"});
    m_builder.addStep({.repeat = repeat, .startNs = at, .endNs = at + kStep, .extra = repeat == 1});
  }
  ASSERT_TRUE(openBuilt());
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("minimap.step.1")));
  EXPECT_TRUE(m_window.map()
                  .textOf(QStringLiteral("minimap.step.1"))
                  .startsWith(QStringLiteral("extra repeat")));
  ASSERT_TRUE(m_window.click(QStringLiteral("minimap.step.1")));
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("step"), QStringLiteral("extra")));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("minimap.step.0")));
}

}  // namespace
}  // namespace stagelane::gui
