#include "ui/session/run/measured_results.h"

#include <gtest/gtest.h>

#include <QSignalSpy>

#include "engine/trace/trace_builder.h"

namespace stagelane::ui {
namespace {

Json experiment(int splitSize) {
  Json json = Json::parse(R"({
    "stagelane": 1, "name": "t", "model": {"zoo": "toy"}, "input": {"shape": [10]},
    "data": {"labels": "normal", "batch_size": 8, "batches": 1}, "devices": ["cpu:0"],
    "variants": [{"name": "a", "strategy": "pipeline", "schedule": "gpipe",
      "stages": [{"first": "net1", "device": "cpu:0"}]}]})");
  json["variants"][0]["split_size"] = splitSize;
  return json;
}

class MeasuredResultsTest : public testing::Test {
 protected:
  void SetUp() override { m_document.load(experiment(2), {}, {}); }
  void run() {
    m_results.start("/runs/1", m_document.snapshot());
    auto result = std::make_shared<record::RunResult>();
    result->variants.emplace_back().id = "a";
    m_results.set(result);
  }

  ExperimentDocument m_document;
  MeasuredResults m_results{&m_document};
};

TEST_F(MeasuredResultsTest, FindsTheResultOfAVariantByItsId) {
  EXPECT_EQ(m_results.of(QStringLiteral("a")), nullptr);
  run();
  ASSERT_NE(m_results.of(QStringLiteral("a")), nullptr);
  EXPECT_EQ(m_results.of(QStringLiteral("b")), nullptr);
  EXPECT_EQ(m_results.folder(), "/runs/1");
}

TEST_F(MeasuredResultsTest, TellsOfANewRunBeforeItsResults) {
  QStringList told;
  QObject::connect(&m_results, &MeasuredResults::started, [&] { told << QStringLiteral("new"); });
  QObject::connect(&m_results, &MeasuredResults::changed, [&] { told << QStringLiteral("step"); });
  run();
  EXPECT_EQ(told.join(QChar(u' ')).toStdString(), "new step step");
}

TEST_F(MeasuredResultsTest, CountsTheEditsSinceTheRunAndNoneWhereThePlanIsThatAgain) {
  run();
  EXPECT_EQ(m_results.editsSinceRun(), 0);
  m_document.apply(QStringLiteral("Split size"), experiment(4));
  EXPECT_EQ(m_results.editsSinceRun(), 1);
  m_document.apply(QStringLiteral("Split size"), experiment(2));
  EXPECT_EQ(m_results.editsSinceRun(), 0);
}

TEST_F(MeasuredResultsTest, DropTheTracesAndTheReportOfTheRunBefore) {
  run();
  m_results.setTrace(QStringLiteral("a"), trace::TraceBuilder().build());
  m_results.setTraceComing(QStringLiteral("a"), true);
  m_results.setReportFolders({"/runs/0"});
  EXPECT_NE(m_results.trace(QStringLiteral("a")), nullptr);
  run();
  EXPECT_EQ(m_results.trace(QStringLiteral("a")), nullptr);
  EXPECT_FALSE(m_results.traceComing(QStringLiteral("a")));
  EXPECT_TRUE(m_results.reportFolders().empty());
}

TEST_F(MeasuredResultsTest, TellWhichTraceHasArrived) {
  QSignalSpy traces(&m_results, &MeasuredResults::traceChanged);
  m_results.setTrace(QStringLiteral("a"), nullptr);
  ASSERT_EQ(traces.size(), 1);
  EXPECT_EQ(traces.front().front().toString(), QStringLiteral("a"));
}

}  // namespace
}  // namespace stagelane::ui
