#include "app/window/trace_opener.h"

#include <gtest/gtest.h>
#include <filesystem>

#include <QApplication>
#include <QDropEvent>
#include <QElapsedTimer>
#include <QMimeData>
#include <QTemporaryDir>
#include <QUrl>
#include <fstream>

#include "app/window/main_window.h"
#include "engine/trace/trace.h"
#include "engine/trace/trace_builder.h"
#include "profiler/formats/chrome.h"
#include "ui/kit/text/formatting.h"
#include "ui/session/run/loading.h"
#include "ui/session/run/opened_trace.h"
#include "ui/session/run/trace_file.h"
#include "ui/session/session.h"

namespace stagelane::app {
namespace {

trace::TracePtr smallTrace() {
  trace::TraceBuilder builder;
  trace::TraceBuilder::NewEvent event;
  event.track = builder.track(builder.device("cpu:0"), trace::TrackKind::Compute, "compute");
  event.durationNs = 1000;
  event.name = "F0";
  event.category = trace::Category::Forward;
  builder.add(event);
  return std::move(builder).build();
}

class TraceOpening : public testing::Test {
 protected:
  [[nodiscard]] std::filesystem::path path(const char* name) const {
    return m_folder.filePath(QString::fromUtf8(name)).toStdString();
  }
  std::filesystem::path write(const char* name, const std::string& bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
    return path(name);
  }
  static bool waitUntil(const std::function<bool()>& condition, int mostMs = 20'000) {
    QElapsedTimer timer;
    timer.start();
    while (!condition() && timer.elapsed() < mostMs) {
      QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
    }
    return condition();
  }
  static void drop(MainWindow& window, const std::filesystem::path& file) {
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(ui::qstring(file.string()))});
    QDropEvent event(QPointF(50, 50), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&window, &event);
  }

 private:
  QTemporaryDir m_folder;
};

TEST_F(TraceOpening, TellsTracesFromExperiments) {
  EXPECT_TRUE(looksLikeTrace(write("a.pftrace", "")));
  EXPECT_TRUE(looksLikeTrace(write("a.json.gz", "\x1f\x8b")));
  EXPECT_TRUE(looksLikeTrace(write("a.sqlite", "SQLite format 3")));
  EXPECT_TRUE(looksLikeTrace(write("a.json", R"({"schemaVersion":1,"traceEvents":[]})")));
  EXPECT_TRUE(looksLikeTrace(write("b.json", " [{\"ph\":\"X\"}")));
  EXPECT_TRUE(looksLikeTrace(write("unnamed", "\x0a\x10")));
  EXPECT_FALSE(looksLikeTrace(write("c.json", R"({"stagelane":1,"variants":[]})")));
  EXPECT_FALSE(looksLikeTrace(write("d.json", "")));
  EXPECT_FALSE(looksLikeTrace(path("none.pftrace")));
  EXPECT_FALSE(looksLikeTrace(path("")));
}

TEST_F(TraceOpening, HandsTheSessionATraceOrWhatIsWrong) {
  ui::Session session;
  TraceOpener opener(&session);
  ASSERT_TRUE(formats::writeChrome(*smallTrace(), path("a.json")));
  opener.open(path("a.json"));
  EXPECT_TRUE(opener.reading());
  ASSERT_TRUE(session.loading().trace().has_value());
  EXPECT_EQ(session.loading().trace()->name.toStdString(), "a.json");
  ASSERT_TRUE(waitUntil([&] { return session.traceFile().opened() != nullptr; }));
  EXPECT_FALSE(session.loading().trace().has_value());
  ASSERT_NE(session.traceFile().opened()->trace, nullptr);
  EXPECT_EQ(session.traceFile().opened()->trace->size(), 1U);

  session.traceFile().show(nullptr);
  opener.open(write("b.pftrace", "not at all"));
  ASSERT_TRUE(waitUntil([&] { return session.traceFile().opened() != nullptr; }));
  EXPECT_EQ(session.traceFile().opened()->name.toStdString(), "b.pftrace");
  EXPECT_EQ(session.traceFile().opened()->trace, nullptr);
  EXPECT_FALSE(session.traceFile().opened()->problem.isEmpty());
}

TEST_F(TraceOpening, KeepsAGoodTraceWhenTheNextFileCannotBeRead) {
  ui::Session session;
  TraceOpener opener(&session);
  QString refused;
  QObject::connect(&opener, &TraceOpener::refused, &opener,
                   [&](const QString& name, const QString& why) {
                     refused = name;
                     EXPECT_FALSE(why.isEmpty());
                   });
  ASSERT_TRUE(formats::writeChrome(*smallTrace(), path("a.json")));
  opener.open(path("a.json"));
  ASSERT_TRUE(waitUntil([&] { return session.traceFile().opened() != nullptr; }));
  const ui::OpenedTracePtr good = session.traceFile().opened();
  opener.open(write("b.pftrace", "not at all"));
  ASSERT_TRUE(waitUntil([&] { return !refused.isEmpty(); }));
  EXPECT_EQ(refused.toStdString(), "b.pftrace");
  EXPECT_EQ(session.traceFile().opened(), good);
  EXPECT_FALSE(session.loading().trace().has_value());
}

TEST_F(TraceOpening, StopsWhenItIsToldTo) {
  ui::Session session;
  TraceOpener opener(&session);
  ASSERT_TRUE(formats::writeChrome(*smallTrace(), path("a.json")));
  opener.open(path("a.json"));
  session.loading().requestStopTrace();
  EXPECT_FALSE(opener.reading());
  EXPECT_FALSE(session.loading().trace().has_value());
  EXPECT_FALSE(waitUntil([&] { return session.traceFile().opened() != nullptr; }, 300));
}

TEST_F(TraceOpening, TakesAFileThatIsDroppedOnTheWindow) {
  ASSERT_TRUE(formats::writePerfetto(*smallTrace(), path("dropped.pftrace")));
  MainWindow window(WindowOptions{});
  ASSERT_TRUE(window.openFirst());
  QMimeData data;
  data.setUrls({QUrl::fromLocalFile(ui::qstring(path("dropped.pftrace").string()))});
  QDragEnterEvent enter(QPoint(50, 50), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  QCoreApplication::sendEvent(&window, &enter);
  EXPECT_TRUE(enter.isAccepted());
  drop(window, path("dropped.pftrace"));
  ASSERT_TRUE(waitUntil([&] { return window.session().traceFile().opened() != nullptr; }));
  EXPECT_EQ(window.session().traceFile().opened()->name.toStdString(), "dropped.pftrace");
  EXPECT_EQ(window.shell().currentPageName().toStdString(), "timeline");

  QMimeData text;
  text.setText(QStringLiteral("no file"));
  QDragEnterEvent other(QPoint(50, 50), Qt::CopyAction, &text, Qt::LeftButton, Qt::NoModifier);
  other.ignore();
  QCoreApplication::sendEvent(&window, &other);
  EXPECT_FALSE(other.isAccepted());
}

}  // namespace
}  // namespace stagelane::app
