#include "ui/charts/measured_steps.h"

#include <gtest/gtest.h>

#include "engine/base/json.h"
#include "engine/record/run_record.h"
#include "engine/trace/trace.h"
#include "engine/trace/trace_builder.h"
#include "ui/session/document/document.h"
#include "ui/session/document/variant_selection.h"
#include "ui/session/run/measured_results.h"
#include "ui/session/run/opened_trace.h"
#include "ui/session/run/trace_file.h"
#include "ui/session/session.h"

namespace stagelane::ui {
namespace {

class MeasuredStepOf : public testing::Test {
 protected:
  MeasuredStepOf() {
    m_session.document().load(
        Json::parse(R"({"stagelane": 1, "name": "toy", "model": {"zoo": "toy"}, "loss": "mse",
          "input": {"shape": [10]}, "data": {"batch_size": 8, "labels": "normal"},
          "devices": ["cpu:0", "cpu:1"],
          "variants": [{"name": "single", "strategy": "single"}]})"),
        {}, {});
    m_session.results().start("/runs/1", std::make_shared<const Json>(m_session.document().json()));
    auto run = std::make_shared<record::RunResult>();
    run->variants.resize(2);
    run->variants[0].id = run->variants[0].name = "single";
    run->variants[1].id = "single-all-cores";
    run->variants[1].name = "single, all cores";
    m_session.results().set(run);
  }

  Session m_session;
};

TEST_F(MeasuredStepOf, AVariantOfThePlanIsItsTab) {
  m_session.traceFile().show(std::make_shared<OpenedTrace>());
  EXPECT_EQ(showMeasuredStep(m_session, QStringLiteral("single")), QString());
  EXPECT_EQ(m_session.selection().variantId(), QStringLiteral("single"));
  EXPECT_EQ(m_session.traceFile().opened(), nullptr);
}

TEST_F(MeasuredStepOf, AVariantWithoutATabIsItsTraceUnderItsName) {
  const trace::TracePtr trace = trace::TraceBuilder().build();
  m_session.results().setTrace(QStringLiteral("single-all-cores"), trace);
  EXPECT_EQ(showMeasuredStep(m_session, QStringLiteral("single-all-cores")), QString());
  ASSERT_NE(m_session.traceFile().opened(), nullptr);
  EXPECT_EQ(m_session.traceFile().opened()->trace, trace);
  EXPECT_EQ(m_session.traceFile().opened()->name, QStringLiteral("single, all cores"));
  EXPECT_EQ(m_session.traceFile().opened()->path,
            QStringLiteral("/runs/1/traces/single-all-cores.pftrace"));
}

TEST_F(MeasuredStepOf, AVariantWithoutATabOrATraceSaysSoAndChangesNothing) {
  const auto before = std::make_shared<const OpenedTrace>();
  m_session.traceFile().show(before);
  const QString variant = QStringLiteral("single-all-cores");
  EXPECT_EQ(showMeasuredStep(m_session, variant).toStdString(),
            "No timeline of single, all cores: none of its steps was recorded");
  m_session.results().setTraceComing(variant, true);
  EXPECT_EQ(showMeasuredStep(m_session, variant).toStdString(),
            "The measured steps of single, all cores are still loading");
  EXPECT_EQ(m_session.traceFile().opened(), before);
}

}  // namespace
}  // namespace stagelane::ui
