#include "ui/session/prediction/predictor.h"

#include <gtest/gtest.h>

#include <QSignalSpy>
#include <QTest>

#include "tests/ui/plan/plan_fixtures.h"

namespace stagelane::ui {
namespace {

/// Without a page or plan model: the session predicts.
class PredictorTest : public testing::Test {
 protected:
  void SetUp() override { m_document.load(sample::resnetOnTwo(), {}, {}); }
  void settle() {
    ASSERT_TRUE(
        QTest::qWaitFor([this] { return !m_predictor.busy() && !m_predictor.stale(); }, 300'000));
  }

  ExperimentDocument m_document;
  VariantSelection m_selection{&m_document};
  Costs m_costs{&m_document};
  Predictor m_predictor{&m_document, &m_selection, &m_costs};
};

TEST_F(PredictorTest, PredictsTheSelectedVariantOfADocumentThatIsLoaded) {
  settle();
  ASSERT_NE(m_predictor.prediction(), nullptr);
  EXPECT_EQ(m_predictor.prediction()->variantId, "pipe");
  EXPECT_GT(m_predictor.prediction()->stepNs, 0);
  EXPECT_FALSE(m_predictor.error());
}

TEST_F(PredictorTest, FollowsTheSelection) {
  settle();
  m_selection.setTab(QStringLiteral("single"));
  settle();
  ASSERT_NE(m_predictor.prediction(), nullptr);
  EXPECT_EQ(m_predictor.prediction()->variantId, "single");
}

TEST_F(PredictorTest, FollowsAnEdit) {
  settle();
  Json json = m_document.json();
  json["variants"][0]["split_size"] = 8;
  m_document.apply(QStringLiteral("Split size"), json);
  settle();
  EXPECT_EQ(m_predictor.prediction()->microBatches.size(), 2U);
}

TEST_F(PredictorTest, FollowsTheCosts) {
  m_document.load(sample::toyPipeline(1), {}, {});
  settle();
  EXPECT_EQ(m_predictor.prediction()->basis, predict::Basis::Estimate);
  m_costs.set(sample::toyCosts(predict::Basis::Calibrated));
  settle();
  EXPECT_EQ(m_predictor.prediction()->basis, predict::Basis::Calibrated);
}

TEST_F(PredictorTest, KeepsTheLastOneWithTheErrorOfAVariantThatCannotBeRead) {
  settle();
  const auto before = m_predictor.prediction();
  Json json = m_document.json();
  json["variants"][0]["schedule"] = "nothing";
  m_document.apply(QStringLiteral("Schedule"), json);
  EXPECT_EQ(m_predictor.prediction(), before);
  EXPECT_TRUE(m_predictor.error());
  EXPECT_FALSE(m_predictor.stale());
}

/// Two variants whose orders are searched for, `p` and `q`, both shown; `p` is selected again.
class OrdersTest : public PredictorTest {
 protected:
  void SetUp() override {
    Json json = sample::toyPipeline(1);
    json["variants"][0]["schedule"] = "auto";
    json["variants"].push_back(json["variants"][0]);
    json["variants"][1]["name"] = "q";
    m_document.load(json, {}, {});
    for (const char* tab : {"p", "q", "p"}) {
      m_selection.setTab(QString::fromLatin1(tab));
      settle();
    }
  }
  /// Empty if it is open.
  [[nodiscard]] std::string orderOf(const std::string& id) const {
    const plan::Experiment shown = m_predictor.shownPlan();
    const plan::Variant* variant = shown.variantById(id);
    return variant == nullptr ? std::string() : variant->order;
  }
};

TEST_F(OrdersTest, AreKeptOfAllVariantsThatWereShown) {
  EXPECT_NE(orderOf("q"), "");
  EXPECT_NE(orderOf("p"), "");
  EXPECT_EQ(orderOf("p"), m_predictor.prediction()->order);
}

TEST_F(OrdersTest, AreForgottenWithAnEdit) {
  Json json = m_document.json();
  json["variants"][0]["split_size"] = 4;
  m_document.apply(QStringLiteral("Split size"), json);
  EXPECT_EQ(orderOf("p"), "");
  EXPECT_EQ(orderOf("q"), "");
  settle();
  EXPECT_NE(orderOf("p"), "");
  EXPECT_EQ(orderOf("p"), m_predictor.prediction()->order);
  EXPECT_EQ(orderOf("q"), "");
}

TEST_F(OrdersTest, AreForgottenWithOtherCosts) {
  m_costs.set(sample::toyCosts(predict::Basis::Calibrated));
  settle();
  EXPECT_EQ(orderOf("q"), "");
}

/// The last prediction stays visible, but it is of an earlier document.
TEST_F(OrdersTest, AreNotThoseOfAPredictionBeforeAnError) {
  Json json = m_document.json();
  json["variants"][0]["schedule"] = "nothing";
  m_document.apply(QStringLiteral("Schedule"), json);
  ASSERT_TRUE(m_predictor.error());
  ASSERT_NE(m_predictor.prediction(), nullptr);
  ASSERT_FALSE(m_predictor.stale());
  EXPECT_EQ(orderOf("p"), "");
  EXPECT_EQ(orderOf("q"), "");
}

TEST_F(PredictorTest, ForgetsThePredictionOfAnotherDocument) {
  settle();
  const QSignalSpy changed(&m_predictor, &Predictor::changed);
  m_document.load(Json::object(), {}, {});
  EXPECT_EQ(m_predictor.prediction(), nullptr);
  EXPECT_TRUE(m_predictor.error());
  EXPECT_GE(changed.size(), 1);
}

}  // namespace
}  // namespace stagelane::ui
