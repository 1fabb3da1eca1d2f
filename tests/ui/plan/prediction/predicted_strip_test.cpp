#include "ui/plan/prediction/predicted_strip.h"

#include <gtest/gtest.h>

#include <QLabel>
#include <QPixmap>

#include "tests/ui/plan/plan_fixtures.h"
#include "ui/plan/prediction/plan_inspector.h"
#include "ui/session/document/document.h"
#include "ui/session/session.h"

namespace stagelane::ui {
namespace {

/// The plan's resnet on four devices with another variant.
class ReplicatedStrip : public testing::Test {
 protected:
  void show(const char* variant) {
    Json document = sample::resnetOnTwo();
    document["devices"] = {"cpu:0", "cpu:1", "cpu:2", "cpu:3"};
    document["variants"] = Json::array({Json::parse(variant)});
    m_session.document().load(document, {}, {});
    m_plan = std::make_unique<PlanModel>(&m_session);
    m_strip = std::make_unique<PredictedStrip>(m_plan.get());
    m_strip->resize(1000, m_strip->minimumSizeHint().height());
    sample::settle(*m_plan);
    m_strip->grab();
  }
  [[nodiscard]] QList<VirtualControl> named(const QString& start) const {
    QList<VirtualControl> found;
    for (const VirtualControl& control : m_strip->virtualControls()) {
      if (control.name.startsWith(start)) found.append(control);
    }
    return found;
  }

  Session m_session;
  std::unique_ptr<PlanModel> m_plan;
  std::unique_ptr<PredictedStrip> m_strip;
};

constexpr const char* kPipeline = R"({"name": "p", "strategy": "pipeline", "schedule": "1f1b",
  "split_size": 2, "replicas": 2, "placement": {"conv1": "cpu:0", "bn1": "cpu:0", "relu": "cpu:0",
  "maxpool": "cpu:0", "layer1": "cpu:0", "layer2": "cpu:0", "layer3": "cpu:1", "layer4": "cpu:1",
  "avgpool": "cpu:1", "fc": "cpu:1"}})";

TEST_F(ReplicatedStrip, HasARowOfAllReducesBelowEachReplica) {
  show(kPipeline);
  const QList<VirtualControl> rows = named(QStringLiteral("predictedReduces."));
  ASSERT_EQ(rows.size(), 2);
  for (const VirtualControl& row : rows) {
    EXPECT_TRUE(row.value.contains(QStringLiteral("exposed"))) << row.value.toStdString();
    EXPECT_LE(row.rect.bottom(), m_strip->height());
  }
  EXPECT_LT(rows[0].rect.bottom(), rows[1].rect.top());
  // The rows of copies do not repeat them. (Copies between CPU workers take no time here.)
  for (const VirtualControl& copy : named(QStringLiteral("predictedCopies."))) {
    EXPECT_FALSE(copy.text.contains(QStringLiteral("all-reduce"))) << copy.text.toStdString();
    for (const VirtualControl& row : rows) EXPECT_FALSE(copy.rect.intersects(row.rect));
  }
}

TEST_F(ReplicatedStrip, OfSingleDevicesHasTheAllReducesBesideTheirCopies) {
  show(R"({"name": "d", "strategy": "ddp"})");
  EXPECT_TRUE(named(QStringLiteral("predictedReduces.")).isEmpty());
  const QList<VirtualControl> copies = named(QStringLiteral("predictedCopies."));
  ASSERT_EQ(copies.size(), 4);
  for (const VirtualControl& copy : copies) EXPECT_EQ(copy.text, QStringLiteral("all-reduce"));
}

TEST_F(ReplicatedStrip, TheInspectorHasASectionOnThem) {
  show(kPipeline);
  const PlanInspector inspector(m_plan.get());
  const auto* section = inspector.findChild<QWidget*>(QStringLiteral("allReduceSection"));
  ASSERT_NE(section, nullptr);
  EXPECT_FALSE(section->isHidden());
  const auto text = [&inspector](const char* name) {
    return inspector.findChild<QLabel*>(QString::fromLatin1(name))->text();
  };
  EXPECT_TRUE(text("allReduceBytes").contains(QStringLiteral("42.7 MiB")))
      << text("allReduceBytes").toStdString();
  EXPECT_TRUE(text("allReduceExposed").contains(QStringLiteral("of the step")));
}

TEST_F(ReplicatedStrip, WithoutReplicasTheInspectorHasNoSuchSection) {
  show(R"({"name": "s", "strategy": "single", "device": "cpu:0"})");
  const PlanInspector inspector(m_plan.get());
  EXPECT_TRUE(inspector.findChild<QWidget*>(QStringLiteral("allReduceSection"))->isHidden());
  EXPECT_TRUE(named(QStringLiteral("predictedReduces.")).isEmpty());
}

}  // namespace
}  // namespace stagelane::ui
