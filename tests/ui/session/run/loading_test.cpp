#include "ui/session/run/loading.h"

#include <gtest/gtest.h>

#include <QSignalSpy>

namespace stagelane::ui {
namespace {

TEST(Loading, TellsWhileSomethingIsReadAndOnceAtItsEnd) {
  Loading loading;
  const QSignalSpy traces(&loading, &Loading::traceChanged);
  const QSignalSpy runs(&loading, &Loading::runChanged);
  loading.setTrace(std::nullopt);
  EXPECT_EQ(traces.size(), 0);
  loading.setTrace(TraceLoading{QStringLiteral("a"), 1, 2});
  loading.setTrace(TraceLoading{QStringLiteral("a"), 2, 2});
  loading.setTrace(std::nullopt);
  loading.setTrace(std::nullopt);
  EXPECT_EQ(traces.size(), 3);
  EXPECT_EQ(runs.size(), 0);
  loading.setRun(TraceLoading{QStringLiteral("run-1"), 0, 0});
  EXPECT_EQ(loading.run()->name, QStringLiteral("run-1"));
  EXPECT_EQ(runs.size(), 1);
}

}  // namespace
}  // namespace stagelane::ui
