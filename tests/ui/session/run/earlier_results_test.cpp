#include "ui/session/run/earlier_results.h"

#include <gtest/gtest.h>
#include <vector>

#include "engine/base/json.h"
#include "engine/record/left_out.h"
#include "engine/record/run_record.h"
#include "tests/ui/plan/plan_fixtures.h"
#include "ui/session/document/document.h"
#include "ui/session/run/measured_plan.h"
#include "ui/session/run/measured_results.h"
#include "ui/session/session.h"

namespace stagelane::ui {
namespace {

record::VariantResult measured(const char* id, TimeNs stepNs) {
  record::VariantResult variant;
  variant.id = id;
  variant.status = record::RunStatus::Done;
  variant.stepNs = stepNs;
  variant.seconds = {static_cast<double>(stepNs) * 1e-9};
  return variant;
}

record::VariantResult leftOut(const char* id) {
  record::VariantResult variant;
  variant.id = id;
  variant.status = record::RunStatus::NotRun;
  variant.included = false;
  return variant;
}

class EarlierResultsTest : public testing::Test {
 protected:
  void run(std::vector<record::VariantResult> variants) {
    m_session.results().start("/runs/x", std::make_shared<const Json>(m_session.document().json()));
    auto result = std::make_shared<record::RunResult>();
    result->variants = std::move(variants);
    m_session.results().set(result);
  }
  [[nodiscard]] TimeNs stepOf(const char* id) const {
    const auto* result = m_session.results().of(QString::fromLatin1(id));
    return result == nullptr ? -1 : result->stepNs;
  }
  void SetUp() override { m_session.document().load(sample::resnetOnTwo(), {}, {}); }

  Session m_session;
};

TEST_F(EarlierResultsTest, OfAVariantThatTheNextRunLeavesOutStay) {
  run({measured("pipe", 100), measured("single", 200)});
  const auto document = m_session.results().document();
  run({leftOut("pipe"), measured("single", 150)});
  EXPECT_EQ(stepOf("pipe"), 100);
  EXPECT_EQ(stepOf("single"), 150);
  EXPECT_EQ(m_session.results().documentOf(QStringLiteral("pipe")), document);
  EXPECT_EQ(m_session.results().documentOf(QStringLiteral("single")),
            m_session.results().document());
  run({leftOut("pipe"), measured("single", 151)});
  EXPECT_EQ(stepOf("pipe"), 100) << "and through another run";
}

TEST_F(EarlierResultsTest, OfAVariantWhoseRunWasCanceledBeforeItsFirstRepeatStay) {
  run({measured("pipe", 100)});
  record::VariantResult canceled;
  canceled.id = "pipe";
  canceled.status = record::RunStatus::Canceled;
  run({canceled});
  EXPECT_EQ(stepOf("pipe"), 100);
}

TEST_F(EarlierResultsTest, GiveWayToWhatTheLastRunSays) {
  run({measured("pipe", 100), measured("single", 200)});
  record::VariantResult running, failed;
  running.id = "pipe";
  failed.id = "single";
  failed.status = record::RunStatus::Failed;
  run({running, failed});
  EXPECT_EQ(stepOf("pipe"), 0);
  EXPECT_EQ(stepOf("single"), 0);
}

TEST_F(EarlierResultsTest, AreForgottenWithTheRunThatIsShown) {
  run({measured("pipe", 100)});
  run({leftOut("pipe")});
  ASSERT_EQ(stepOf("pipe"), 100);
  m_session.results().start({}, nullptr);
  run({leftOut("pipe")});
  EXPECT_EQ(stepOf("pipe"), 0);
}

TEST_F(EarlierResultsTest, AreForgottenWhereAnotherExperimentIsLoadedWhileTheRunGoesOn) {
  run({measured("pipe", 100)});
  m_session.document().load(sample::resnetOnTwo(), {}, {});
  run({leftOut("pipe")});
  EXPECT_EQ(stepOf("pipe"), 0);
}

TEST_F(EarlierResultsTest, AreRestoredByTheirVariantAlone) {
  run({measured("pipe", 100), measured("single", 200)});
  Json edited = m_session.document().json();
  edited["variants"][0]["split_size"] = 2;
  m_session.document().apply(QStringLiteral("Split size"), edited);
  run({leftOut("pipe"), measured("single", 150)});
  edited["variants"][1]["device"] = "cpu:1";
  m_session.document().apply(QStringLiteral("Device"), edited);
  const auto restored =
      documentWithMeasured(m_session.results(), m_session.document(), QStringLiteral("pipe"));
  ASSERT_TRUE(restored);
  EXPECT_EQ(restored->at("variants")[0]["split_size"], 4);
  EXPECT_EQ(restored->at("variants")[1]["device"], "cpu:1") << "what else was edited stays";
}

}  // namespace
}  // namespace stagelane::ui
