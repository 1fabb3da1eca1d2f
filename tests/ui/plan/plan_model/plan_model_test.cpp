#include "ui/plan/plan_model/plan_model.h"

#include <gtest/gtest.h>
#include <memory>
#include <vector>

#include "engine/base/json.h"
#include "engine/plan/experiment.h"
#include "engine/record/run_record.h"
#include "tests/ui/plan/plan_fixtures.h"
#include "ui/kit/text/formatting.h"
#include "ui/plan/plan_model/chip_groups.h"
#include "ui/plan/plan_model/chip_locks.h"
#include "ui/plan/plan_model/cut_costs.h"
#include "ui/plan/plan_model/drop_preview.h"
#include "ui/plan/plan_model/plan_figures.h"
#include "ui/plan/plan_model/plan_moves.h"
#include "ui/plan/plan_model/plan_selection.h"
#include "ui/session/document/document.h"
#include "ui/session/document/variant_selection.h"
#include "ui/session/prediction/calibration.h"
#include "ui/session/prediction/cut_curve.h"
#include "ui/session/prediction/predictor.h"
#include "ui/session/run/measured_plan.h"
#include "ui/session/run/measured_results.h"
#include "ui/session/run/run_state.h"
#include "ui/session/session.h"

namespace stagelane::ui {
namespace {

class Plan : public testing::Test {
 protected:
  void SetUp() override {
    m_session.document().load(sample::resnetOnTwo(), {}, {});
    m_plan = std::make_unique<PlanModel>(&m_session);
    ASSERT_TRUE(m_plan->ready());
  }

  [[nodiscard]] std::size_t block(const char* name) const {
    return static_cast<std::size_t>(m_plan->model().blockNamed(name)->value);
  }
  [[nodiscard]] std::string laneOf(const char* name) const {
    return m_plan->shape().deviceOfBlock[block(name)].value;
  }

  void settle() const { sample::settle(*m_plan); }

  Session m_session;
  std::unique_ptr<PlanModel> m_plan;
};

TEST_F(Plan, IsPredictedAtOnce) {
  settle();
  ASSERT_NE(m_session.predictor().prediction(), nullptr);
  EXPECT_GT(m_session.predictor().prediction()->stepNs, 0);
  EXPECT_GT(m_session.predictor().prediction()->speedup(), 0.0);
  EXPECT_EQ(m_session.predictor().prediction()->breakdown.devices.size(), 2U);
}

TEST_F(Plan, WhilePlacementIsSearchedForTheOldNumbersStayAndAreStale) {
  settle();
  const auto before = m_session.predictor().prediction();
  Json document = sample::resnetOnTwo();
  document["data"]["batch_size"] = 512;
  document["variants"][0]["split_size"] = 1;
  document["variants"][0]["placement"] = "optimal";
  m_session.document().apply(QStringLiteral("Optimal"), document);
  ASSERT_TRUE(m_session.document().planning());
  EXPECT_TRUE(m_session.predictor().stale());
  EXPECT_EQ(m_session.predictor().prediction(), before);
  // Another variant of the same document does not wait.
  m_session.selection().setTab(QStringLiteral("single"));
  settle();
  m_session.selection().setTab(QStringLiteral("pipe"));
  QElapsedTimer timer;
  timer.start();
  while ((m_session.document().planning() || m_session.predictor().stale()) &&
         timer.elapsed() < 300000) {
    QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
  }
  ASSERT_NE(m_session.predictor().prediction(), nullptr);
  EXPECT_FALSE(m_session.predictor().stale());
  EXPECT_EQ(m_session.predictor().prediction()->variantId, "pipe");
  EXPECT_EQ(m_session.predictor().prediction()->microBatches.size(), 512U);
}

TEST_F(Plan, AMoveIsOneNamedStepAndUndoTakesItBack) {
  const BlockSet blocks =
      m_plan->moves().dragSet(block("layer3.0"), block("layer3.1"), DragExtent::Selection);
  ASSERT_TRUE(m_plan->moves().move(blocks, DeviceId{"cpu:0"}));
  EXPECT_EQ(laneOf("layer3.1"), "cpu:0");
  EXPECT_EQ(m_session.document().undoStack().undoText().toStdString(),
            "Move layer3.0–layer3.1 to cpu:0");
  m_session.document().undoStack().undo();
  EXPECT_EQ(laneOf("layer3.1"), "cpu:1");
}

TEST_F(Plan, ShiftTakesTheRestOfTheStageAndAltTheGroup) {
  EXPECT_EQ(m_plan->moves().dragSet(block("layer2.0"), block("layer2.0"), DragExtent::RestOfStage),
            (BlockSet{block("layer2.0"), block("layer2.1")}));
  EXPECT_EQ(m_plan->moves().dragSet(block("layer2.1"), block("layer2.1"), DragExtent::Group),
            (BlockSet{block("layer2.0"), block("layer2.1")}));
  EXPECT_EQ(m_plan->moves().dragSet(block("fc"), block("fc"), DragExtent::Group),
            BlockSet{block("fc")});
}

TEST_F(Plan, WhatLeavesThePlanAsItIsMakesNoStep) {
  Json document = sample::resnetOnTwo();
  document["variants"][0]["placement"] = "optimal";
  m_session.document().load(document, {}, {});
  settle();
  const auto cut = static_cast<std::size_t>(
      std::find(m_plan->shape().stageBegins.begin() + 1, m_plan->shape().stageBegins.end(), true) -
      m_plan->shape().stageBegins.begin());
  ASSERT_LT(cut, m_plan->shape().stageBegins.size());
  QString hint;
  QObject::connect(m_plan.get(), &PlanModel::refused, m_plan.get(),
                   [&](const QString& reason) { hint = reason; });
  m_plan->moves().cutAt(cut);
  EXPECT_TRUE(hint.startsWith(QStringLiteral("A stage already begins with"))) << hint.toStdString();
  m_plan->moves().move({cut}, m_plan->shape().deviceOfBlock[cut]);
  EXPECT_FALSE(m_session.document().undoStack().canUndo());
  EXPECT_FALSE(m_session.document().modified());
  EXPECT_EQ(m_session.document().json()["variants"][0]["placement"], "optimal");
}

TEST_F(Plan, ADeviceThatOnlyTheLanesStillHaveIsNotRemoved) {
  Json document = sample::resnetOnTwo();
  document["devices"].push_back("cpu:2");
  m_session.document().load(document, {}, {});
  document = sample::resnetOnTwo();
  document["batch_norm"] = "none";  // the document cannot be read with it
  m_session.document().apply(QStringLiteral("Break"), document);
  ASSERT_EQ(m_plan->devices().size(), 3U);
  EXPECT_FALSE(m_plan->deviceEdits().remove(DeviceId{"cpu:2"}));
  EXPECT_FALSE(m_plan->deviceEdits().remove(DeviceId{"cpu:0"}));
  EXPECT_EQ(m_session.document().json(), document);
}

TEST_F(Plan, ThereIsNoLaneAboveTheFirst) {
  m_plan->select(block("conv1"), block("conv1"));
  EXPECT_FALSE(m_plan->moves().moveSelection(-1));
  EXPECT_TRUE(m_plan->moves().moveSelection(1));
}

TEST_F(Plan, APreviewChangesNothingUntilItIsDropped) {
  const Json before = m_session.document().json();
  m_plan->dropPreview().show({block("layer3.0")}, DeviceId{"cpu:0"});
  settle();
  EXPECT_TRUE(m_plan->dropPreview().active());
  EXPECT_EQ(m_plan->dropPreview().shownShape().deviceOfBlock[block("layer3.0")].value, "cpu:0");
  EXPECT_EQ(laneOf("layer3.0"), "cpu:1");
  EXPECT_TRUE(m_plan->dropPreview().text().startsWith(QStringLiteral("step ")))
      << m_plan->dropPreview().text().toStdString();
  EXPECT_EQ(m_session.document().json(), before);
  m_plan->dropPreview().clear();
  EXPECT_EQ(m_plan->dropPreview().shownShape(), m_plan->shape());
}

TEST_F(Plan, AGroupInTwoStagesIsOpenAndStaysOpen) {
  EXPECT_FALSE(m_plan->chips().open().contains(QStringLiteral("layer3")));
  m_plan->moves().move({block("layer3.0")}, DeviceId{"cpu:0"});
  EXPECT_TRUE(m_plan->chips().open().contains(QStringLiteral("layer3")));
  m_plan->chips().toggle(QStringLiteral("layer3"));
  EXPECT_TRUE(m_plan->chips().open().contains(QStringLiteral("layer3")));
}

TEST_F(Plan, TheCurveHasEveryCutAndItsPresentPointIsThePrediction) {
  settle();
  ASSERT_EQ(m_plan->cuts().curve().size(), m_plan->model().blocks.size() - 1);
  for (const CutPoint& point : m_plan->cuts().curve()) {
    if (point.block == block("layer3.0")) {
      EXPECT_EQ(point.stepNs, m_session.predictor().prediction()->stepNs);
    }
  }
}

TEST_F(Plan, TheCurveHasEveryCutOfAPlanOfThreeStagesToo) {
  m_session.document().apply(QStringLiteral("devices"),
                             withMember(m_session.document().json(), {"devices"},
                                        Json::array({"cpu:0", "cpu:1", "cpu:2"})));
  BlockSet end;
  for (std::size_t at = block("layer4.0"); at < m_plan->model().blocks.size(); ++at)
    end.push_back(at);
  ASSERT_TRUE(m_plan->moves().move(end, DeviceId{"cpu:2"}));
  settle();
  ASSERT_EQ(stagesOf(m_plan->shape()).size(), 3U);
  EXPECT_EQ(m_plan->cuts().curve().size(), m_plan->model().blocks.size() - 1);
}

TEST_F(Plan, InferenceSendsNothingBack) {
  const Bytes both = m_plan->figures().cutBytes(block("layer3.0"));
  m_session.document().apply(QStringLiteral("infer"),
                             withMember(m_session.document().json(), {"task"}, "infer"));
  EXPECT_EQ(m_plan->figures().cutBytes(block("layer3.0")), both / 2);
}

TEST_F(Plan, AMoveInASingleVariantMakesItModelParallel) {
  m_session.selection().setTab(QStringLiteral("single"));
  EXPECT_TRUE(m_plan->moves().move({block("fc")}, DeviceId{"cpu:1"}));
  EXPECT_EQ(m_session.document().json()["variants"][1]["strategy"], "model_parallel");
  EXPECT_EQ(laneOf("fc"), "cpu:1");
}

TEST_F(Plan, AnImpossiblePlanKeepsTheOldNumbersAndSaysWhy) {
  settle();
  const auto before = m_session.predictor().prediction();
  m_session.document().apply(QStringLiteral("bad"),
                             withVariantMember(m_session.document().json(), 0, "split_size", 99));
  EXPECT_TRUE(m_session.predictor().error().has_value());
  EXPECT_EQ(m_session.predictor().prediction(), before);
  EXPECT_EQ(m_plan->shape().deviceOfBlock.size(), m_plan->model().blocks.size());
}

TEST(PlanOfNothing, IsNotReadyAndTakesKeys) {
  Session session;
  PlanModel plan(&session);
  EXPECT_FALSE(plan.ready());
  EXPECT_FALSE(plan.moves().moveSelection(1));
  plan.moves().cutBeforeCurrent();
  plan.locks().toggle();
  plan.step(1, false, {});
}

TEST_F(Plan, UndoAndRedoShowTheTabThatTheyChange) {
  ExperimentDocument& document = m_session.document();
  const QString first = document.tabs()[0].id;
  const QString second = document.tabs()[1].id;
  ASSERT_EQ(m_session.selection().tabId(), first);
  document.apply(QStringLiteral("split"),
                 withVariantMember(document.json(), 0, "split_size", Json(2)));
  m_session.selection().setTab(second);
  // A new edit of another tab shows no message: that tab's check box shows it.
  document.apply(QStringLiteral("leave out"),
                 withVariantMember(document.json(), 0, "include", Json(false)));
  EXPECT_EQ(m_session.selection().tabId(), second);
  for (int step = 0; step < 2; ++step) {
    document.undoStack().undo();
    EXPECT_EQ(m_session.selection().tabId(), first);
    m_session.selection().setTab(second);
  }
  for (int step = 0; step < 2; ++step) {
    document.undoStack().redo();
    EXPECT_EQ(m_session.selection().tabId(), first);
    m_session.selection().setTab(second);
  }
  // An edit after an undo is a new edit.
  document.undoStack().undo();
  m_session.selection().setTab(second);
  document.apply(QStringLiteral("leave out again"),
                 withVariantMember(document.json(), 0, "include", Json(false)));
  EXPECT_EQ(m_session.selection().tabId(), second);
}

TEST_F(Plan, ASuggestionForASweepComesBesideItAndIsShown) {
  m_session.document().apply(
      QStringLiteral("sweep"),
      withVariantMember(m_session.document().json(), 0, "split_size", Json{4, 8}));
  ASSERT_TRUE(m_session.document().tabs()[0].sweep());
  settle();
  PlanSuggestion suggestion;
  suggestion.kind = SuggestionKind::Split;
  suggestion.splitSize = 2;
  suggestion.schedule = "gpipe";
  m_plan->moves().applySuggestion(suggestion);
  ASSERT_EQ(m_session.document().tabs().size(), 3U);
  EXPECT_TRUE(m_session.document().tabs()[0].sweep());
  EXPECT_EQ(m_session.document().tabs()[1].name.toStdString(), "gpipe 2");
  EXPECT_EQ(m_session.selection().tabId(), m_session.document().tabs()[1].id);
  ASSERT_NE(m_session.selection().variant(), nullptr);
  EXPECT_EQ(m_session.selection().variant()->splitSize, 2);
  m_session.document().undoStack().undo();
  EXPECT_EQ(m_session.selection().tabId(), m_session.document().tabs()[0].id);
}

TEST_F(Plan, AGroupThatADropUnitesStaysOpen) {
  EXPECT_FALSE(m_plan->chips().open().contains(QStringLiteral("layer3")));
  const qreal width = 900;
  ASSERT_TRUE(m_plan->moves().move({block("layer3.0")}, DeviceId{"cpu:0"}));
  ASSERT_TRUE(m_plan->chips().open().contains(QStringLiteral("layer3")));
  const ChainLayout split = layoutChain(m_plan->chips().chainRequest(width));
  ASSERT_TRUE(m_plan->moves().move({block("layer3.0")}, DeviceId{"cpu:1"}));
  const ChainLayout united = layoutChain(m_plan->chips().chainRequest(width));
  ASSERT_EQ(split.chips.size(), united.chips.size());
  for (std::size_t chip = 0; chip < split.chips.size(); ++chip) {
    EXPECT_EQ(split.chips[chip].x, united.chips[chip].x) << split.chips[chip].name.toStdString();
  }
  m_plan->chips().toggle(QStringLiteral("layer3"));
  EXPECT_FALSE(m_plan->chips().open().contains(QStringLiteral("layer3")));
}

TEST_F(Plan, AClosedGroupOfWhichOneBlockIsSelectedIsDraggedWhole) {
  const std::size_t first = block("layer4.0");
  const std::size_t last = block("layer4.1");
  m_plan->select(last, last);
  EXPECT_EQ(m_plan->selected(first, last), Selected::Part);
  EXPECT_EQ(m_plan->selected(block("layer1.0"), block("layer1.1")), Selected::None);
  EXPECT_EQ(m_plan->moves().dragSet(first, last, DragExtent::Selection), (BlockSet{first, last}));
  m_plan->toggle(first, last);
  EXPECT_EQ(m_plan->selected(first, last), Selected::All);
  m_plan->toggle(first, last);
  EXPECT_EQ(m_plan->selected(first, last), Selected::None);
}

TEST_F(Plan, SuggestionsOfTheOlderPlanStayUntilTheNewerOnesAreKnown) {
  settle();
  const PlanSuggestionsPtr before = m_plan->suggestions().found();
  ASSERT_NE(before, nullptr);
  EXPECT_FALSE(m_plan->suggestions().stale());
  ASSERT_TRUE(m_plan->moves().move({block("layer3.0")}, DeviceId{"cpu:0"}));
  EXPECT_EQ(m_plan->suggestions().found(), before);
  EXPECT_TRUE(m_plan->suggestions().stale());
  settle();
  EXPECT_NE(m_plan->suggestions().found(), before);
  EXPECT_FALSE(m_plan->suggestions().stale());
}

TEST_F(Plan, SuggestionsThatAreKnownAreKeptDuringARun) {
  settle();
  const PlanSuggestionsPtr before = m_plan->suggestions().found();
  m_session.runState().setPhase(RunPhase::Running);
  EXPECT_EQ(m_plan->suggestions().found(), before);
  EXPECT_FALSE(m_plan->suggestions().stale());
  ASSERT_TRUE(m_plan->moves().move({block("layer3.0")}, DeviceId{"cpu:0"}));
  EXPECT_TRUE(m_plan->suggestions().stale());
  EXPECT_FALSE(m_plan->suggestions().running());
  m_session.runState().setPhase(RunPhase::Idle);
  settle();
  EXPECT_FALSE(m_plan->suggestions().stale());
}

TEST_F(Plan, NothingIsSearchedForWhileCostsAreMeasured) {
  ASSERT_TRUE(m_plan->moves().move({block("layer3.0")}, DeviceId{"cpu:0"}));
  ASSERT_TRUE(m_plan->suggestions().running());
  m_session.calibration().setPhase(CalibrationPhase::Running);
  EXPECT_FALSE(m_plan->suggestions().running());
  m_session.calibration().setProgress(0.5, 20.0);
  EXPECT_FALSE(m_plan->suggestions().running()) << "news of the calibration start nothing";
  m_session.calibration().setPhase(CalibrationPhase::Canceling);
  EXPECT_FALSE(m_plan->suggestions().running());
  m_session.calibration().setPhase(CalibrationPhase::Idle);
  settle();
  EXPECT_NE(m_plan->suggestions().found(), nullptr);
  EXPECT_FALSE(m_plan->suggestions().stale());
}

TEST_F(Plan, UndoShowsTheTabWhoseChangeItTakesBack) {
  ASSERT_TRUE(m_plan->moves().move({block("layer3.0")}, DeviceId{"cpu:0"}));
  m_session.selection().setTab(QStringLiteral("single"));
  m_session.document().undoStack().undo();
  EXPECT_EQ(m_session.selection().tabId().toStdString(), "pipe");
  EXPECT_EQ(laneOf("layer3.0"), "cpu:1");
}

TEST_F(Plan, TheBestPlanForABaselineComesBesideIt) {
  m_session.selection().setTab(QStringLiteral("single"));
  settle();
  PlanSuggestion best;
  best.kind = SuggestionKind::Everything;
  best.splitSize = 4;
  best.schedule = "1f1b";
  best.stages = stagesOf(m_plan->shape());
  m_plan->moves().applySuggestion(best);
  ASSERT_EQ(m_session.document().tabs().size(), 3U);
  EXPECT_EQ(m_session.document().json()["variants"][1]["strategy"], "single");
  EXPECT_EQ(m_session.document().json()["variants"][2]["strategy"], "pipeline");
  EXPECT_EQ(m_session.selection().tabId(), m_session.document().tabs()[2].id);
}

TEST_F(Plan, AMeasuredPlanIsMeasuredAgainWhenItIsTheSameAgain) {
  record::RunResult run;
  record::VariantResult result;
  const plan::Variant* variant = m_session.selection().variant();
  result.id = variant->id;
  result.schedule = variant->schedule;
  result.splitSize = variant->splitSize;
  result.placement = variant->placement;
  result.stepNs = 1000;
  run.variants = {result};
  m_session.results().start({}, m_session.document().snapshot());
  m_session.results().set(std::make_shared<const record::RunResult>(run));
  const QString id = m_session.selection().variantId();
  EXPECT_TRUE(measuredAsItIs(m_session.results(), m_session.document(), id));
  ASSERT_TRUE(m_plan->moves().move({block("layer3.0")}, DeviceId{"cpu:0"}));
  EXPECT_FALSE(measuredAsItIs(m_session.results(), m_session.document(), id));
  ASSERT_TRUE(m_plan->moves().move({block("layer3.0")}, DeviceId{"cpu:1"}));
  EXPECT_TRUE(measuredAsItIs(m_session.results(), m_session.document(), id)) << "there and back";
  m_session.document().apply(QStringLiteral("repeats"),
                             withMember(m_session.document().json(), {"repeat"}, 9));
  EXPECT_TRUE(measuredAsItIs(m_session.results(), m_session.document(), id))
      << "how often does not change what";
  for (const char* recompute : {"always", "never"}) {
    const VariantTab* tab = m_session.document().tabOfVariant(id);
    m_session.document().apply(
        QStringLiteral("recompute"),
        withVariantMember(m_session.document().json(), tab->index, "recompute", recompute));
    EXPECT_FALSE(measuredAsItIs(m_session.results(), m_session.document(), id)) << recompute;
    m_session.document().undoStack().undo();
    EXPECT_TRUE(measuredAsItIs(m_session.results(), m_session.document(), id));
  }
  m_session.document().apply(QStringLiteral("batch"),
                             withMember(m_session.document().json(), {"data", "batch_size"}, 12));
  EXPECT_FALSE(measuredAsItIs(m_session.results(), m_session.document(), id));
}

TEST_F(Plan, ADropOnAPlanThatCannotBeReadSaysWhatIsTheMatter) {
  m_session.document().apply(QStringLiteral("Schedule"),
                             withVariantMember(m_session.document().json(), 0, "schedule", "none"));
  ASSERT_EQ(m_session.selection().variant(), nullptr);
  m_plan->dropPreview().show({block("fc")}, DeviceId{"cpu:0"});
  EXPECT_TRUE(m_plan->dropPreview().text().startsWith(QStringLiteral("No prediction: ")));
  EXPECT_TRUE(m_plan->dropPreview().text().contains(QStringLiteral("none")))
      << m_plan->dropPreview().text().toStdString();
}

TEST_F(Plan, AnImpossibleDropIsWordedForPeople) {
  m_session.document().apply(QStringLiteral("Schedule"),
                             withVariantMember(m_session.document().json(), 0, "schedule", "zbv"));
  settle();
  ASSERT_TRUE(m_session.predictor().error());
  ASSERT_FALSE(m_session.predictor().error()->context.empty());
  m_plan->dropPreview().show({block("layer3.0")}, DeviceId{"cpu:0"});
  settle();
  ASSERT_FALSE(m_plan->dropPreview().problem().isEmpty());
  EXPECT_EQ(m_plan->dropPreview().text().toStdString(),
            sentenceText(*m_session.predictor().error()).toStdString())
      << "no place in the file, as the plan itself says it";
}

TEST_F(Plan, AnotherDocumentShowsNothingOfTheOneBefore) {
  m_plan->chips().toggle(QStringLiteral("layer4"));
  ASSERT_TRUE(m_plan->chips().open().contains(QStringLiteral("layer4")));
  m_plan->moves().move({block("conv1")}, DeviceId{"cpu:1"});
  m_plan->select(1, 2);
  settle();
  ASSERT_NE(m_session.predictor().prediction(), nullptr);
  // The same tabs, blocks and devices, but a plan that cannot be read.
  Json other = sample::resnetOnTwo();
  other["variants"][0]["schedule"] = "none";
  m_session.document().load(other, {}, {});
  ASSERT_EQ(m_session.selection().variant(), nullptr);
  EXPECT_EQ(laneOf("conv1"), "cpu:0") << "evenly cut, as nothing is known of it";
  EXPECT_EQ(m_session.predictor().prediction(), nullptr);
  EXPECT_EQ(m_plan->suggestions().found(), nullptr);
  EXPECT_TRUE(m_plan->selection().empty());
  EXPECT_FALSE(m_plan->chips().open().contains(QStringLiteral("layer4")));
}

TEST_F(Plan, KeepsTheMarksOfTheLastMeasurementAndSaysOfHowManyEditsAgoTheyAre) {
  EXPECT_FALSE(m_plan->figures().measured());
  record::RunResult run;
  record::VariantResult variant;
  variant.id = "pipe";
  variant.schedule = "1f1b";
  variant.splitSize = 4;
  variant.placement = m_session.selection().variant()->placement;
  variant.stepNs = 1'000'000;
  variant.speedup = 1.5;
  variant.devices.resize(2);
  variant.devices[0].id = "cpu:0";
  variant.devices[0].utilisation = 0.75;
  variant.devices[0].peakBytes = 4096;
  variant.devices[1].id = "cpu:1";
  run.variants.push_back(variant);
  m_session.results().start({}, m_session.document().snapshot());
  m_session.results().set(std::make_shared<const record::RunResult>(run));
  ASSERT_TRUE(m_plan->figures().measured());
  EXPECT_EQ(m_plan->figures().measured()->when(), QStringLiteral("measured"));
  EXPECT_EQ(m_plan->figures().measured()->stepNs, 1'000'000);
  EXPECT_EQ(m_plan->figures().measured()->device({"cpu:0"})->busyShare, 0.75);
  EXPECT_EQ(m_plan->figures().measured()->device({"sim:9"}), nullptr);
  EXPECT_EQ(m_plan->figures().measured()->cuts(), std::vector<std::size_t>{block("layer3.0")});
  m_plan->moves().move({block("layer3.0")}, DeviceId{"cpu:0"});
  ASSERT_TRUE(m_plan->figures().measured());
  EXPECT_EQ(m_plan->figures().measured()->when(), QStringLiteral("measured 1 edit ago"));
  EXPECT_EQ(m_plan->figures().measured()->cuts(), std::vector<std::size_t>{block("layer3.0")})
      << "where it was cut then";
  // An edit and its reverse give the measured plan again.
  m_plan->moves().move({block("layer3.0")}, DeviceId{"cpu:1"});
  EXPECT_TRUE(m_plan->figures().measured()->ofThisPlan);
  m_session.selection().setTab(QStringLiteral("single"));
  EXPECT_FALSE(m_plan->figures().measured()) << "that one was not measured";
}

TEST_F(Plan, MeasuredActionsAreThoseOfTheMedianStepFromItsStart) {
  settle();
  const auto prediction = m_session.predictor().prediction();
  const auto actions = measuredActions(*prediction->trace, DeviceId{"cpu:1"});
  std::size_t computing = 0;
  for (const auto& action : prediction->schedule.actions[1]) {
    computing += isCompute(action.kind) ? 1 : 0;
  }
  ASSERT_EQ(actions.size(), computing);
  EXPECT_GT(actions.front().startNs, 0) << "the second device waits for the first";
  EXPECT_LE(actions.back().endNs, prediction->stepNs);
  EXPECT_TRUE(measuredActions(*prediction->trace, DeviceId{"cpu:7"}).empty());
}

}  // namespace
}  // namespace stagelane::ui
