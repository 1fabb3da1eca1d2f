// The page while a trace is prepared: never the timeline of another trace under its name.

#include "ui/timeline/timeline_page.h"

#include <gtest/gtest.h>

#include <QAction>
#include <QLabel>
#include <QTableView>
#include <QTest>
#include <algorithm>

#include "engine/trace/trace_builder.h"
#include "ui/session/run/opened_trace.h"
#include "ui/session/run/trace_file.h"
#include "ui/session/session.h"

namespace stagelane::ui {
namespace {

OpenedTracePtr traceOf(const char* name, int devices, int eventsEach) {
  trace::TraceBuilder builder;
  for (int device = 0; device < devices; ++device) {
    trace::TraceBuilder::NewEvent event;
    event.track = builder.track(builder.device("cpu:" + std::to_string(device)),
                                trace::TrackKind::Compute, "compute");
    event.name = "F0";
    event.category = trace::Category::Forward;
    event.durationNs = 90;
    for (int at = 0; at < eventsEach; ++at) {
      event.startNs = at * 100;
      builder.add(event);
    }
  }
  auto opened = std::make_shared<OpenedTrace>();
  opened->path = QStringLiteral("/nowhere/") + QString::fromLatin1(name);
  opened->name = QString::fromLatin1(name);
  opened->trace = std::move(builder).build();
  return opened;
}

class PageOfTraces : public testing::Test {
 protected:
  PageOfTraces() {
    page.setSession(&session);
    page.resize(1200, 800);
    page.show();
  }
  [[nodiscard]] bool shown(const char* name) const {
    const auto* widget = page.findChild<QWidget*>(QString::fromLatin1(name));
    return widget != nullptr && widget->isVisible();
  }
  [[nodiscard]] int events() const {
    return page.findChild<QTableView*>(QStringLiteral("stepEvents"))->model()->rowCount();
  }
  [[nodiscard]] QAction* stopReading() const {
    const QList<QAction*> actions = page.pageActions();
    const auto found = std::find_if(actions.begin(), actions.end(), [](const QAction* each) {
      return each->shortcut() == QKeySequence(Qt::Key_Escape);
    });
    return found == actions.end() ? nullptr : *found;
  }

  Session session;
  TimelinePage page;
};

TEST_F(PageOfTraces, DropsTheOldTimelineWhileTheNextOneIsMadeReady) {
  session.traceFile().show(traceOf("small.json", 1, 10));
  EXPECT_EQ(events(), 10);
  EXPECT_FALSE(stopReading()->isEnabled());
  // Many events, and few of many devices.
  for (const auto& [devices, each] : {std::pair{1, 25'000}, {100, 5}}) {
    session.traceFile().show(traceOf("large.json", devices, each));
    EXPECT_TRUE(shown("loadingCard")) << devices;
    EXPECT_TRUE(shown("cancelLoading")) << devices;
    EXPECT_FALSE(shown("traceBanner")) << devices;
    EXPECT_EQ(events(), 0) << devices;
    ASSERT_TRUE(QTest::qWaitFor([&] { return !page.busy(); }, 60'000));
    EXPECT_FALSE(shown("loadingCard")) << devices;
    EXPECT_TRUE(shown("traceBanner")) << devices;
    EXPECT_GE(events(), 500) << devices;
    session.traceFile().show(traceOf("small.json", 1, 10));
    EXPECT_EQ(events(), 10);
  }
}

TEST_F(PageOfTraces, StopsWhenAskedTo) {
  session.traceFile().show(traceOf("large.json", 1, 25'000));
  ASSERT_TRUE(stopReading()->isEnabled());
  stopReading()->trigger();
  EXPECT_EQ(session.traceFile().opened(), nullptr);
  EXPECT_FALSE(shown("loadingCard"));
  EXPECT_FALSE(stopReading()->isEnabled());
}

TEST_F(PageOfTraces, KeepsItsTimelineWhenAnotherFileCannotBeRead) {
  session.traceFile().show(traceOf("small.json", 1, 10));
  page.tellRefused(QStringLiteral("broken.json"), QStringLiteral("It ends too early."));
  EXPECT_TRUE(QTest::qWaitFor([&] { return shown("dismissTrace"); }));
  EXPECT_EQ(events(), 10);
  page.tellRefused({}, {});
  EXPECT_FALSE(shown("dismissTrace"));
  EXPECT_TRUE(QTest::qWaitFor([&] { return shown("closeTrace"); }));
}

}  // namespace
}  // namespace stagelane::ui
