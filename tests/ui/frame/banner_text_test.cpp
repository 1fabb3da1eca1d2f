#include "ui/frame/banner_text.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>

#include "engine/base/failure.h"
#include "engine/base/json.h"
#include "engine/record/run_record.h"
#include "ui/session/document/document.h"
#include "ui/session/document/file_change.h"
#include "ui/session/document/unsaved_work.h"
#include "ui/session/run/loading.h"
#include "ui/session/run/measured_results.h"
#include "ui/session/run/opened_trace.h"
#include "ui/session/run/run_state.h"
#include "ui/session/session.h"

namespace stagelane::ui {
namespace {

record::VariantResult variant(const std::string& id, std::size_t repeats,
                              record::RunStatus status) {
  record::VariantResult one;
  one.id = id;
  one.name = id;
  one.status = status;
  one.seconds.assign(repeats, 1.0);
  return one;
}

class BannerOf : public testing::Test {
 protected:
  BannerOf() {
    m_session.document().load(
        Json::parse(R"({"stagelane": 1, "name": "toy", "model": {"zoo": "toy"}, "loss": "mse",
          "input": {"shape": [10]}, "data": {"batch_size": 8, "labels": "normal"},
          "devices": ["cpu:0", "cpu:1"], "repeat": 5,
          "variants": [{"name": "single", "strategy": "single"},
            {"name": "pipe", "strategy": "pipeline", "split_size": 4, "placement": {"net1": "cpu:0", "relu": "cpu:0", "net2": "cpu:1"}}]})"),
        {}, {});
  }

  void end(record::RunStatus status, const std::string& reason,
           const std::optional<Failure>& failure = {}) {
    m_session.results().start("/runs/1", std::make_shared<const Json>(m_session.document().json()));
    auto run = std::make_shared<record::RunResult>();
    run->status = status;
    run->reason = reason;
    run->failure = failure;
    run->variants = {variant("single", 5, record::RunStatus::Done), variant("pipe", 3, status)};
    m_session.results().set(run);
  }

  [[nodiscard]] BannerText said() const { return bannerOfRun(m_session).value_or(BannerText{}); }

  Session m_session;
};

TEST_F(BannerOf, ARunThatIsDoneSaysNothing) {
  EXPECT_FALSE(bannerOfRun(m_session));
  end(record::RunStatus::Done, "");
  EXPECT_FALSE(bannerOfRun(m_session));
  EXPECT_FALSE(bannerOfPlan(m_session));
}

TEST_F(BannerOf, AFailedRunSaysWhyWhatIsKeptAndWhatCanBeDone) {
  end(record::RunStatus::Failed, "cpu:1: out of memory (at stage 1, micro-batch 3, variant pipe)");
  const BannerText text = said();
  EXPECT_EQ(text.kind, BannerKind::Error);
  EXPECT_EQ(text.title.toStdString(), "The run failed");
  EXPECT_EQ(text.detail.toStdString(),
            "cpu:1: out of memory (at stage 1, micro-batch 3, variant pipe)\n"
            "Kept: single (5 of 5 repeats), pipe (3 of 5 repeats).");
  EXPECT_EQ(text.acts, (std::vector{BannerAct::OpenLog, BannerAct::FixPlan, BannerAct::Resume,
                                    BannerAct::RunAgain, BannerAct::DismissRunEnd}));
}

TEST_F(BannerOf, ARunThatFailedForAnotherReasonThanItsPlanOffersNoFixOfThePlan) {
  for (const FailureKind kind : {FailureKind::Killed, FailureKind::ReaderGone,
                                 FailureKind::CannotWrite, FailureKind::Workspace}) {
    end(record::RunStatus::Failed, "it ended", Failure{kind});
    EXPECT_EQ(said().acts, (std::vector{BannerAct::OpenLog, BannerAct::Resume, BannerAct::RunAgain,
                                        BannerAct::DismissRunEnd}))
        << word(kind);
  }
  for (const FailureKind kind :
       {FailureKind::OutOfMemory, FailureKind::Invalid, FailureKind::EngineFailure}) {
    end(record::RunStatus::Failed, "it ended", Failure{kind});
    EXPECT_EQ(said().acts.at(1), BannerAct::FixPlan) << word(kind);
  }
}

TEST_F(BannerOf, ACanceledRunSaysHowManyRepeatsAreKept) {
  end(record::RunStatus::Canceled, "");
  const BannerText text = said();
  EXPECT_EQ(text.kind, BannerKind::Warning);
  EXPECT_TRUE(text.detail.contains(QStringLiteral("pipe (3 of 5 repeats)")))
      << text.detail.toStdString();
  EXPECT_EQ(text.acts,
            (std::vector{BannerAct::Resume, BannerAct::RunAgain, BannerAct::DismissRunEnd}));
}

TEST_F(BannerOf, WhatWasDismissedIsToldAgainWhenTheRunGoesOnAndEndsAnew) {
  end(record::RunStatus::Canceled, "");
  m_session.runState().dismissEnd();
  EXPECT_FALSE(bannerOfRun(m_session));
  m_session.runState().setPhase(RunPhase::Running);
  m_session.runState().setPhase(RunPhase::Idle);
  EXPECT_TRUE(bannerOfRun(m_session));
  m_session.runState().dismissEnd();
  end(record::RunStatus::Canceled, "");
  EXPECT_TRUE(bannerOfRun(m_session)) << "another run";
}

TEST_F(BannerOf, ARunInProgressSaysWhereItIsAndThatThePlanIsNotItsOwn) {
  m_session.runState().setPhase(RunPhase::Running);
  EXPECT_TRUE(said().detail.startsWith(QStringLiteral("Starting the engine")));
  RunProgress progress;
  progress.variantId = QStringLiteral("pipe");
  progress.repeat = 2;
  progress.of = 5;
  progress.secondsLeft = 12.0;
  m_session.runState().setProgress(progress);
  EXPECT_EQ(said().title.toStdString(), "Running");
  EXPECT_TRUE(said().detail.startsWith(QStringLiteral("pipe, repeat 2 of 5, 12")))
      << said().detail.toStdString();
  EXPECT_TRUE(said().detail.endsWith(QStringLiteral("Edits apply to the next run.")));
  auto several = std::make_shared<record::RunResult>();
  several->variants.resize(6);
  m_session.results().set(several);
  EXPECT_TRUE(said().detail.startsWith(QStringLiteral("repeat 2 of 5, 6 variants, 12")))
      << said().detail.toStdString();
  m_session.runState().setPhase(RunPhase::Canceling);
  EXPECT_EQ(said().title.toStdString(), "Canceling the run");
}

TEST_F(BannerOf, WhatKeepsARunFromStartingComesBeforeHowTheLastOneEnded) {
  end(record::RunStatus::Canceled, "");
  m_session.runState().setProblem(QStringLiteral("another run is using the workspace"));
  EXPECT_EQ(said().title.toStdString(), "The run could not start");
  m_session.runState().setProblem({});
  m_session.runState().setEngineProblem(QStringLiteral("stagelane-engine was not found"));
  EXPECT_EQ(said().title.toStdString(), "The run was canceled");
  m_session.runState().dismissEnd();
  EXPECT_EQ(said().title.toStdString(), "Run disabled: engine not found");
}

TEST_F(BannerOf, AnExperimentThatCannotBeReadSaysWhyAndUndoIsOfferedWhereItHelps) {
  Json broken = m_session.document().json();
  broken["input"] = Json{{"shape", "wide"}};
  m_session.document().apply(QStringLiteral("Break it"), broken);
  const auto text = bannerOfPlan(m_session);
  ASSERT_TRUE(text);
  EXPECT_EQ(text->title.toStdString(), "The experiment cannot be read");
  EXPECT_EQ(text->acts, (std::vector{BannerAct::UndoEdit}));
}

TEST_F(BannerOf, WhatWasLeftUnsavedIsOfferedWhileNothingRuns) {
  EXPECT_FALSE(bannerOfUnsaved(m_session));
  m_session.unsaved().set(UnsavedWork{QStringLiteral("toy"), QStringLiteral("today")});
  const auto text = bannerOfUnsaved(m_session);
  ASSERT_TRUE(text);
  EXPECT_EQ(text->acts, (std::vector{BannerAct::RestoreUnsaved, BannerAct::DiscardUnsaved}));
  m_session.runState().setPhase(RunPhase::Running);
  EXPECT_FALSE(bannerOfUnsaved(m_session));
}

TEST_F(BannerOf, AFileThatAnotherProgramWroteCanBeLoadedOrLeft) {
  EXPECT_FALSE(bannerOfFile(m_session));
  m_session.fileChange().setFound(true);
  const auto text = bannerOfFile(m_session);
  ASSERT_TRUE(text);
  EXPECT_EQ(text->acts, (std::vector{BannerAct::LoadFile, BannerAct::KeepMine}));
  m_session.runState().setPhase(RunPhase::Running);
  EXPECT_FALSE(bannerOfFile(m_session));
}

TEST_F(BannerOf, ARunThatIsBeingReadSaysHowMuchAndCanBeEnded) {
  EXPECT_FALSE(bannerOfOpening(m_session));
  m_session.loading().setRun(TraceLoading{QStringLiteral("run-3"), 1 << 20, 4 << 20});
  const auto text = bannerOfOpening(m_session);
  ASSERT_TRUE(text);
  EXPECT_TRUE(text->title.startsWith(QStringLiteral("Reading run-3: ")))
      << text->title.toStdString();
  EXPECT_EQ(text->acts, (std::vector{BannerAct::StopOpening}));
  m_session.loading().setRun(std::nullopt);
  EXPECT_FALSE(bannerOfOpening(m_session));
}

TEST(KeptText, NamesAFewVariantsAndCountsMany) {
  record::RunResult run;
  EXPECT_EQ(keptText(run, 5).toStdString(), "Nothing was measured.");
  run.variants.push_back(variant("single", 1, record::RunStatus::Canceled));
  run.variants.push_back(variant("none", 0, record::RunStatus::Canceled));
  EXPECT_EQ(keptText(run, 0).toStdString(), "Kept: single (1 repeat).");
  for (int at = 0; at < 5; ++at) {
    run.variants.push_back(variant("v" + std::to_string(at), 2, record::RunStatus::Canceled));
  }
  EXPECT_EQ(keptText(run, 5).toStdString(), "Kept: 1 to 2 of 5 repeats of each of 6 variants.");
  run.variants.erase(run.variants.begin());
  EXPECT_EQ(keptText(run, 0).toStdString(), "Kept: 2 repeats of each of 5 variants.");
}

TEST(FailedVariant, IsTheOneThatTheFailureNames) {
  record::RunResult run;
  run.variants = {variant("single", 5, record::RunStatus::Done),
                  variant("pipe", 3, record::RunStatus::Failed),
                  variant("pipe-2", 3, record::RunStatus::Failed)};
  EXPECT_EQ(failedVariant(run).toStdString(), "pipe");
  run.failure = Failure{FailureKind::OutOfMemory, "pipe-2"};
  EXPECT_EQ(failedVariant(run).toStdString(), "pipe-2");
  run.failure->variant = "gone";
  EXPECT_EQ(failedVariant(run).toStdString(), "pipe");
  run.variants.resize(1);
  EXPECT_TRUE(failedVariant(run).isEmpty());
}

TEST(TurnText, CountsTheVariantsThatTakeTurnsAndNoneThatWasLeftOut) {
  Session session;
  auto run = std::make_shared<record::RunResult>();
  run->variants = {variant("a", 0, record::RunStatus::Running),
                   variant("b", 0, record::RunStatus::Running),
                   variant("c", 0, record::RunStatus::NotRun)};
  run->variants.back().included = false;
  session.results().set(run);
  RunProgress progress;
  progress.variantId = QStringLiteral("a");
  progress.repeat = 1;
  progress.of = 3;
  session.runState().setProgress(progress);
  EXPECT_EQ(turnText(session).toStdString(), "repeat 1 of 3, 2 variants");
  progress.checksGradients = true;
  session.runState().setProgress(progress);
  EXPECT_EQ(turnText(session).toStdString(), "checking the gradients of a");
}

}  // namespace
}  // namespace stagelane::ui
