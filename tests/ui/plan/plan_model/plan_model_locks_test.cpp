// Locked blocks stay on their devices during all edits until they are unlocked.

#include <gtest/gtest.h>
#include <memory>

#include "engine/base/json.h"
#include "tests/ui/plan/plan_fixtures.h"
#include "ui/kit/text/formatting.h"
#include "ui/plan/experiment/model_change.h"
#include "ui/plan/plan_model/chip_locks.h"
#include "ui/plan/plan_model/plan_model.h"
#include "ui/plan/plan_model/plan_moves.h"
#include "ui/plan/plan_model/plan_problems.h"
#include "ui/session/document/document.h"
#include "ui/session/document/tab_edits.h"
#include "ui/session/document/variant_selection.h"
#include "ui/session/session.h"

namespace stagelane::ui {
namespace {

class PlanLocks : public testing::Test {
 protected:
  void SetUp() override {
    m_session.document().load(sample::resnetOnTwo(), {}, {});
    m_plan = std::make_unique<PlanModel>(&m_session);
    ASSERT_TRUE(m_plan->ready());
    QObject::connect(m_plan.get(), &PlanModel::refused,
                     [this](const QString& reason) { m_refused = utf8(reason); });
  }

  [[nodiscard]] std::size_t block(const char* name) const {
    return static_cast<std::size_t>(m_plan->model().blockNamed(name)->value);
  }
  [[nodiscard]] std::string laneOf(const char* name) const {
    return m_plan->shape().deviceOfBlock[block(name)].value;
  }
  void toggleLock(const char* name) {
    m_plan->select(block(name), block(name));
    m_plan->locks().toggle();
  }
  [[nodiscard]] const Json& variant(std::size_t index) const {
    return m_session.document().json()["variants"][index];
  }
  bool apply(Json document) {
    return m_session.document().apply(QStringLiteral("an edit"), std::move(document));
  }
  /// The edit of a member of `pipe`.
  bool set(const char* member, Json value) {
    return apply(withVariantMember(m_session.document().json(), 0, member, std::move(value)));
  }
  [[nodiscard]] QUndoStack& undo() { return m_session.document().undoStack(); }

  Session m_session;
  std::unique_ptr<PlanModel> m_plan;
  std::string m_refused;
};

const char* const kLayer3Refused = "layer3.0 is locked to cpu:1 in pipe. Press L to unlock it";

TEST_F(PlanLocks, ALockedBlockIsRefusedInWords) {
  m_plan->select(block("layer4.0"), block("layer4.1"));
  m_plan->locks().toggle();
  EXPECT_TRUE(m_plan->locks().locked(block("layer4.1")));
  QString reason;
  QObject::connect(m_plan.get(), &PlanModel::refused, [&](const QString& text) { reason = text; });
  EXPECT_FALSE(m_plan->moves().moveSelection(-1));
  EXPECT_TRUE(reason.contains(QStringLiteral("locked"))) << reason.toStdString();
  EXPECT_EQ(m_session.document().undoStack().count(), 1) << "the lock, and no move";
  m_plan->locks().toggle();
  EXPECT_TRUE(m_plan->moves().moveSelection(-1));
}

TEST_F(PlanLocks, ACutMovesNoLockedBlock) {
  m_plan->select(block("layer3.0"), block("layer3.0"));
  m_plan->locks().toggle();
  m_plan->moves().cutAt(block("layer3.1"));
  EXPECT_EQ(laneOf("layer3.0"), "cpu:1");
  m_plan->locks().toggle();
  m_plan->moves().cutAt(block("layer3.1"));
  EXPECT_EQ(laneOf("layer3.0"), "cpu:0");
}

TEST_F(PlanLocks, ASuggestedPlacementMovesNoLockedBlock) {
  m_plan->select(block("layer3.0"), block("layer3.0"));
  m_plan->locks().toggle();
  QString reason;
  QObject::connect(m_plan.get(), &PlanModel::refused, [&](const QString& text) { reason = text; });
  PlanSuggestion suggestion;
  suggestion.kind = SuggestionKind::Placement;
  suggestion.splitSize = 4;
  suggestion.schedule = "1f1b";
  suggestion.stages = stagesOf(moved(m_plan->shape(), {block("layer3.0")}, DeviceId{"cpu:0"}));
  m_plan->moves().applySuggestion(suggestion);
  EXPECT_EQ(laneOf("layer3.0"), "cpu:1");
  EXPECT_EQ(reason.toStdString(), "layer3.0 is locked to cpu:1 in pipe. Press L to unlock it");
  m_plan->locks().toggle();
  m_plan->moves().applySuggestion(suggestion);
  EXPECT_EQ(laneOf("layer3.0"), "cpu:0");
}

TEST_F(PlanLocks, ADeviceToWhichAnotherTabLocksABlockStays) {
  m_plan->select(block("layer3.0"), block("layer3.0"));
  m_plan->locks().toggle();
  m_session.selection().setTab(QStringLiteral("single"));
  EXPECT_FALSE(m_plan->deviceEdits().remove(DeviceId{"cpu:1"}));
  m_session.document().undoStack().undo();
  EXPECT_TRUE(m_plan->deviceEdits().remove(DeviceId{"cpu:1"}));
}

TEST_F(PlanLocks, ALockIsUndoneByItsNameAndChangesNoFile) {
  QUndoStack& undo = m_session.document().undoStack();
  m_plan->select(block("layer4.0"), block("layer4.1"));
  m_plan->locks().toggle();
  EXPECT_EQ(undo.undoText(), QStringLiteral("Lock layer4.0–layer4.1"));
  EXPECT_FALSE(m_session.document().modified());
  undo.undo();
  EXPECT_FALSE(m_plan->locks().locked(block("layer4.0")));
  undo.redo();
  EXPECT_TRUE(m_plan->locks().locked(block("layer4.1")));
  m_plan->locks().toggle();
  EXPECT_EQ(undo.undoText(), QStringLiteral("Unlock layer4.0–layer4.1"));
}

TEST_F(PlanLocks, UndoingALockShowsItsTab) {
  m_plan->select(block("fc"), block("fc"));
  m_plan->locks().toggle();
  const QString locked = m_session.selection().tabId();
  const auto& tabs = m_session.document().tabs();
  ASSERT_GT(tabs.size(), 1U);
  m_session.selection().setTab(tabs[0].id == locked ? tabs[1].id : tabs[0].id);
  m_session.document().undoStack().undo();
  EXPECT_EQ(m_session.selection().tabId(), locked);
}

TEST_F(PlanLocks, ARenamedTabIsStillShownAndKeepsItsLocks) {
  m_session.selection().setTab(QStringLiteral("single"));
  m_plan->select(block("fc"), block("fc"));
  m_plan->locks().toggle();
  m_session.document().apply(
      QStringLiteral("rename"),
      withRenamedVariant(m_session.document().json(), 1, QStringLiteral("alone")));
  EXPECT_EQ(m_session.selection().tabId().toStdString(), "alone");
  EXPECT_TRUE(m_plan->locks().locked(block("fc")));
  m_session.document().undoStack().undo();
  EXPECT_EQ(m_session.selection().tabId().toStdString(), "single");
  EXPECT_TRUE(m_plan->locks().locked(block("fc")));
}

TEST_F(PlanLocks, NoEditOfTheDocumentMovesALockedBlock) {
  toggleLock("layer3.0");
  const Json before = m_session.document().json();
  Json elsewhere = before["variants"][0]["placement"];
  elsewhere["layer3"] = "cpu:0";
  EXPECT_FALSE(set("placement", elsewhere));
  EXPECT_EQ(m_refused, kLayer3Refused);
  EXPECT_FALSE(
      apply(withStrategy(before, 0, plan::singleStrategy(), m_plan->model(), m_plan->shape())))
      << "all on cpu:0";
  EXPECT_EQ(m_session.document().json(), before);
  EXPECT_EQ(undo().count(), 1) << "the lock";
  EXPECT_TRUE(set("split_size", 8)) << "moves nothing";
  undo().undo();
  toggleLock("layer3.0");
  EXPECT_TRUE(set("placement", elsewhere));
  EXPECT_EQ(laneOf("layer3.0"), "cpu:0");
}

TEST_F(PlanLocks, ALockedBlockIsLeftToNoMode) {
  toggleLock("layer3.0");
  EXPECT_FALSE(set("placement", "optimal"));
  EXPECT_EQ(m_refused, std::string("Automatic placement is not available: ") + kLayer3Refused);
  EXPECT_FALSE(set("placement", "sequential"));
  EXPECT_EQ(laneOf("layer3.0"), "cpu:1");
}

TEST_F(PlanLocks, ALockOnAPlanOfAModePlacesItByHandInTheSameStep) {
  ASSERT_TRUE(set("placement", "optimal"));
  const PlanShape placed = m_plan->shape();
  const Json before = m_session.document().json();
  toggleLock("conv1");
  EXPECT_TRUE(variant(0)["placement"].is_object());
  EXPECT_EQ(m_plan->shape(), placed);
  EXPECT_TRUE(m_plan->locks().locked(0));
  EXPECT_TRUE(set("split_size", 1)) << "no mode places it anew";
  EXPECT_EQ(m_plan->shape(), placed);
  undo().undo();
  EXPECT_EQ(undo().undoText(), QStringLiteral("Lock conv1"));
  undo().undo();
  EXPECT_FALSE(m_plan->locks().locked(0));
  EXPECT_EQ(m_session.document().json(), before);
}

TEST_F(PlanLocks, APlanThatCannotBeReadTakesNoLockAndKeepsThoseItHas) {
  toggleLock("layer3.0");
  ASSERT_TRUE(set("schedule", "no such schedule"));
  ASSERT_EQ(m_session.selection().variant(), nullptr);
  toggleLock("conv1");
  EXPECT_FALSE(m_plan->locks().locked(block("conv1")));
  EXPECT_EQ(m_refused, "Cannot lock blocks until the placement is computed");
  Json mended = withVariantMember(m_session.document().json(), 0, "schedule", "gpipe");
  mended["variants"][0]["placement"]["layer3"] = "cpu:0";
  EXPECT_FALSE(apply(mended));
  mended["variants"][0]["placement"]["layer3"] = "cpu:1";
  EXPECT_TRUE(apply(mended));
}

TEST_F(PlanLocks, AVariantThatAnotherOneIsPlacedAsMovesNoBlockThatThatOneLocks) {
  Json document = sample::resnetOnTwo();
  document["variants"][1] = {
      {"name", "follows"}, {"strategy", "model_parallel"}, {"placement", "same as: pipe"}};
  m_session.document().load(document, {}, {});
  m_session.selection().setTab(QStringLiteral("follows"));
  toggleLock("layer3.0");
  EXPECT_EQ(variant(1)["placement"], "same as: pipe");
  m_session.selection().setTab(QStringLiteral("pipe"));
  m_plan->moves().move({block("layer3.0")}, DeviceId{"cpu:0"});
  EXPECT_EQ(m_refused, "layer3.0 is locked to cpu:1 in follows. Press L to unlock it");
  EXPECT_EQ(laneOf("layer3.0"), "cpu:1");
  EXPECT_FALSE(set("placement", "optimal"));
}

TEST_F(PlanLocks, ACopyOfATabHasItsLocksAndOneUndoTakesBothBack) {
  toggleLock("layer3.0");
  const QString copy = duplicateTab(m_session.document(), QStringLiteral("pipe"));
  EXPECT_EQ(copy.toStdString(), "pipe-copy");
  m_session.selection().setTab(copy);
  EXPECT_TRUE(m_plan->locks().locked(block("layer3.0")));
  toggleLock("layer3.0");
  m_session.selection().setTab(QStringLiteral("pipe"));
  EXPECT_TRUE(m_plan->locks().locked(block("layer3.0"))) << "each tab has its own";
  undo().undo();
  EXPECT_EQ(undo().undoText(), QStringLiteral("Duplicate pipe"));
  undo().undo();
  EXPECT_EQ(m_session.document().tabs().size(), 2U);
  EXPECT_TRUE(m_session.document().lockedBlocks(copy).isEmpty());
  undo().redo();
  EXPECT_EQ(m_session.document().lockedBlocks(copy).size(), 1);
}

TEST_F(PlanLocks, ADeletedTabLeavesItsLocksToNoneOfItsName) {
  toggleLock("layer3.0");
  duplicateTab(m_session.document(), QStringLiteral("single"));
  removeTab(m_session.document(), QStringLiteral("pipe"));
  ASSERT_TRUE(apply(withRenamedVariant(m_session.document().json(), 1, QStringLiteral("pipe"))));
  EXPECT_TRUE(m_session.document().lockedBlocks(QStringLiteral("pipe")).isEmpty());
  undo().undo();
  undo().undo();
  EXPECT_EQ(m_session.document().lockedBlocks(QStringLiteral("pipe")).size(), 1);
  removeTab(m_session.document(), QStringLiteral("single"));
  removeTab(m_session.document(), QStringLiteral("single-copy"));
  removeTab(m_session.document(), QStringLiteral("pipe"));
  EXPECT_EQ(m_session.document().tabs().size(), 1U) << "the only tab stays";
}

TEST_F(PlanLocks, AnotherModelLeavesLockedBlocksWhereTheyAreOrIsRefused) {
  toggleLock("layer3.0");
  ModelChoice other = modelOf(m_session.document());
  other.definition = {{"zoo", "resnet34"}, {"num_classes", 10}};
  EXPECT_EQ(changeModel(m_session, other, InputOf::Choice).text, QString());
  EXPECT_TRUE(m_plan->locks().locked(block("layer3.0")));
  toggleLock("layer3.5");
  // Locks of blocks that resnet18 does not have are dropped; undo restores them with their model.
  other.definition["zoo"] = "resnet18";
  EXPECT_EQ(changeModel(m_session, other, InputOf::Choice).text, QString());
  EXPECT_EQ(m_session.document().lockedBlocks(QStringLiteral("pipe")).size(), 1);
  undo().undo();
  EXPECT_TRUE(m_plan->locks().locked(block("layer3.5")));
  // None of the locked blocks is in this model, so a mode may place it.
  other.definition = {{"zoo", "vgg16"}, {"num_classes", 10}};
  EXPECT_EQ(changeModel(m_session, other, InputOf::Choice).text, QString());
  EXPECT_EQ(variant(0)["placement"], "optimal");
  EXPECT_TRUE(m_session.document().lockedBlocks(QStringLiteral("pipe")).isEmpty());
}

TEST_F(PlanLocks, WhatALockWouldRefuseIsKnownBefore) {
  PlanSuggestion placement;
  placement.kind = SuggestionKind::Placement;
  placement.stages = stagesOf(moved(m_plan->shape(), {block("layer3.0")}, DeviceId{"cpu:0"}));
  PlanSuggestion split;
  split.kind = SuggestionKind::Split;
  split.splitSize = 8;
  split.stages = m_session.selection().variant()->stages;
  PlanFix fix{QStringLiteral("Placement: optimal"),
              {},
              {},
              withVariantMember(m_session.document().json(), 0, "placement", "optimal")};
  EXPECT_FALSE(m_plan->locks().refusalOf(placement) || m_plan->locks().refusalOf(fix));
  toggleLock("layer3.0");
  EXPECT_EQ(m_plan->locks().refusalOf(placement)->toStdString(),
            "layer3.0 is locked to cpu:1. Press L to unlock it");
  EXPECT_FALSE(m_plan->locks().refusalOf(split));
  EXPECT_TRUE(m_plan->locks().refusalOf(fix));
  PlanFix other = fix;
  other.document.reset();
  other.suggestion = split;
  EXPECT_FALSE(m_plan->locks().refusalOf(other));
  other.shape = moved(m_plan->shape(), {block("layer3.0")}, DeviceId{"cpu:0"});
  other.suggestion.reset();
  EXPECT_TRUE(m_plan->locks().refusalOf(other));
  // A new tab beside the sweep, without locks.
  ASSERT_TRUE(set("split_size", {4, 8}));
  placement.kind = SuggestionKind::Everything;
  EXPECT_FALSE(m_plan->locks().refusalOf(placement));
}

TEST_F(PlanLocks, AnotherDocumentHasNoneOfThem) {
  toggleLock("layer3.0");
  m_session.document().load(sample::resnetOnTwo(), {}, {});
  EXPECT_FALSE(m_plan->locks().locked(block("layer3.0")));
  EXPECT_TRUE(set("placement", "optimal"));
}

}  // namespace
}  // namespace stagelane::ui
