#include "ui/session/run/trace_file.h"

#include <gtest/gtest.h>

#include <QSignalSpy>
#include <memory>

namespace stagelane::ui {
namespace {

TEST(TraceFile, TellsOfAnotherTraceOnly) {
  TraceFile file;
  const QSignalSpy changed(&file, &TraceFile::changed);
  file.show(nullptr);
  EXPECT_EQ(changed.size(), 0);
  const auto trace = std::make_shared<const OpenedTrace>();
  file.show(trace);
  file.show(trace);
  EXPECT_EQ(changed.size(), 1);
  EXPECT_EQ(file.opened(), trace);
}

}  // namespace
}  // namespace stagelane::ui
