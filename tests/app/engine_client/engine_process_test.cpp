#include "app/engine_client/engine_process.h"

#include <gtest/gtest.h>

#include <QElapsedTimer>
#include <QEventLoop>
#include <QTimer>
#include <csignal>
#include <fstream>
#include <optional>
#include <vector>

#include "engine/workspace/workspace.h"
#include "tests/app/fake_engine.h"
#include "tests/support/fault_clock.h"

namespace stagelane::app {
namespace {

using fakes::FakeEngine;
using fakes::kStarted;
using record::RunStatus;

constexpr int kPatienceMs = 60'000;

// Runs an engine to its end; `onEvent` sees each event.
struct Played {
  std::vector<std::string> events;
  std::optional<EngineOutcome> outcome;
};

template <class OnEvent>
Played play(EngineProcess& process, const FakeEngine& engine, OnEvent onEvent) {
  Played played;
  QEventLoop loop;
  QObject::connect(&process, &EngineProcess::eventReceived, &loop, [&](const Json& event) {
    played.events.push_back(event.at("event").get<std::string>());
    onEvent(event);
  });
  QObject::connect(&process, &EngineProcess::finished, &loop, [&](const EngineOutcome& outcome) {
    played.outcome = outcome;
    loop.quit();
  });
  QTimer::singleShot(kPatienceMs, &loop, &QEventLoop::quit);
  const Status started = process.start("experiment.json", engine.out());
  EXPECT_TRUE(started);
  if (!played.outcome) loop.exec();
  EXPECT_TRUE(played.outcome) << "the engine did not end in time";
  if (!played.outcome) played.outcome.emplace();
  return played;
}

Played play(const FakeEngine& engine) {
  EngineProcess process;
  return play(process, engine, [](const Json&) {});
}

TEST(EngineProcess, EventsArriveInOrderAndTheRunEndsDone) {
  const FakeEngine engine(std::string(kStarted) + "event '{\"event\":\"finished\",\"t_ns\":3}'");
  const Played played = play(engine);
  EXPECT_EQ(played.events, (std::vector<std::string>{"started", "measurement", "finished"}));
  EXPECT_EQ(played.outcome->exitCode, 0);
  EXPECT_FALSE(played.outcome->error);
  ASSERT_TRUE(played.outcome->result);
  EXPECT_EQ(played.outcome->result->status, RunStatus::Done);
}

TEST(EngineProcess, AnEngineThatIsKilledLeavesAFailedRunWithItsMeasurements) {
  const FakeEngine engine(std::string(kStarted) + "kill -9 $$");
  const stagelane::test::FaultClock clock;
  EngineProcess process;
  // The engine is killed after its last event.
  const Played played = play(process, engine, [&clock](const Json&) { clock.strike(); });
  clock.expectEnded();
  EXPECT_EQ(played.outcome->exitCode, 6);
  ASSERT_TRUE(played.outcome->error);
  EXPECT_NE(played.outcome->error->message.find("SIGKILL"), std::string::npos);
  ASSERT_TRUE(played.outcome->result);
  EXPECT_EQ(played.outcome->result->status, RunStatus::Failed);
  EXPECT_EQ(played.outcome->result->variants.at(0).seconds, (std::vector<double>{0.01}));
  const auto reopened = record::openRun(engine.out());
  ASSERT_TRUE(reopened);
  EXPECT_EQ(reopened->reason, describe(*played.outcome->error));
}

TEST(EngineProcess, AnEngineThatAClosedTerminalEndsLeavesACanceledRun) {
  std::signal(SIGHUP, SIG_DFL);  // the tests may run under nohup
  const FakeEngine engine(std::string(kStarted) + "kill -HUP $$");
  const Played played = play(engine);
  EXPECT_EQ(played.outcome->exitCode, kExitCanceled);
  EXPECT_FALSE(played.outcome->error);
  ASSERT_TRUE(played.outcome->result);
  EXPECT_EQ(played.outcome->result->status, RunStatus::Canceled);
}

TEST(EngineProcess, AFolderThatLeadsElsewhereIsNotResumed) {
  const FakeEngine engine("exit 0");
  std::filesystem::create_symlink(engine.folder() / "elsewhere", engine.out() / "events.jsonl");
  EngineProcess process;
  const Status resumed = process.resume(engine.out());
  ASSERT_FALSE(resumed);
  EXPECT_EQ(resumed.error().code, ErrorCode::CannotWrite);
  EXPECT_FALSE(process.isRunning());
}

TEST(EngineProcess, TheErrorOfAKilledEngineNamesItsFolderOnce) {
  const FakeEngine engine(std::string(kStarted) + "kill -9 $$");
  const Played played = play(engine);
  ASSERT_TRUE(played.outcome->error);
  const std::string text = describe(*played.outcome->error);
  const std::size_t first = text.find(engine.out().string());
  ASSERT_NE(first, std::string::npos) << text;
  EXPECT_EQ(text.find(engine.out().string(), first + 1), std::string::npos) << text;
}

TEST(EngineProcess, LettingGoOfARunCancelsItAlsoWhenTheEngineDoesNotListen) {
  const FakeEngine engine(std::string(kStarted) + "trap '' TERM; sleep 60 & wait; wait");
  {
    EngineProcess process;
    QEventLoop loop;
    QObject::connect(&process, &EngineProcess::eventReceived, &loop, &QEventLoop::quit);
    QTimer::singleShot(kPatienceMs, &loop, &QEventLoop::quit);
    ASSERT_TRUE(process.start("experiment.json", engine.out()));
    loop.exec();
  }
  const auto reopened = record::openRun(engine.out());
  ASSERT_TRUE(reopened);
  EXPECT_EQ(reopened->status, RunStatus::Canceled);
}

TEST(EngineProcess, TheEnginesOwnErrorIsPassedOnWithItsCode) {
  const FakeEngine engine(std::string(kStarted) +
                          "event '{\"event\":\"error\",\"t_ns\":3,\"code\":5,\"message\":\"full\","
                          "\"context\":\"cpu:0\",\"hint\":\"split\"}'; exit 5");
  const Played played = play(engine);
  EXPECT_EQ(played.outcome->exitCode, 5);
  ASSERT_TRUE(played.outcome->error);
  EXPECT_EQ(played.outcome->error->code, ErrorCode::OutOfMemory);
  EXPECT_EQ(played.outcome->error->message, "full");
  EXPECT_EQ(played.outcome->error->context, "cpu:0");
  EXPECT_EQ(played.outcome->error->hint, "split");
}

TEST(EngineProcess, AnErrorBeforeTheFolderWasUsedHasNoResult) {
  const FakeEngine engine(
      "echo '{\"event\":\"error\",\"t_ns\":0,\"code\":4,\"message\":\"no cuda:0\"}'; exit 4");
  const Played played = play(engine);
  EXPECT_EQ(played.outcome->exitCode, 4);
  EXPECT_EQ(played.outcome->error->message, "no cuda:0");
  EXPECT_FALSE(played.outcome->result);
  EXPECT_TRUE(std::filesystem::is_empty(engine.out()));
}

TEST(EngineProcess, AnExitWithoutAWordQuotesTheLastLineOfTheLog) {
  const FakeEngine engine(std::string(kStarted) + "echo 'cannot load libtorch' >&2; exit 127");
  const Played played = play(engine);
  EXPECT_EQ(played.outcome->exitCode, 6);
  EXPECT_NE(played.outcome->error->message.find("cannot load libtorch"), std::string::npos);
  EXPECT_EQ(played.outcome->result->status, RunStatus::Failed);
  std::ifstream log(engine.out() / "engine.log");
  const std::string text((std::istreambuf_iterator<char>(log)), std::istreambuf_iterator<char>());
  EXPECT_NE(text.find("cannot load libtorch"), std::string::npos);
}

TEST(EngineProcess, OfAnEngineThatPrintsWithoutEndOnlyTheEndIsKept) {
  const FakeEngine engine(std::string(kStarted) +
                          "yes 'a library says hello' | head -c 3000000; echo; "
                          "yes 'and complains' | head -c 3000000 >&2; echo 'the end' >&2; exit 1");
  const Played played = play(engine);
  EXPECT_EQ(played.outcome->exitCode, 6);
  EXPECT_LT(std::filesystem::file_size(engine.out() / "engine.log"), 1'100'000U);
}

TEST(EngineProcess, CancelEndsTheRunAsCanceled) {
  const FakeEngine engine("trap 'exit 130' TERM\n" + std::string(kStarted) +
                          "while true; do sleep 0.05; done");
  EngineProcess process;
  const Played played = play(process, engine, [&](const Json& event) {
    if (event.at("event") == "measurement") process.cancel();
  });
  EXPECT_EQ(played.outcome->exitCode, 130);
  EXPECT_FALSE(played.outcome->error);
  EXPECT_EQ(played.outcome->result->status, RunStatus::Canceled);
  EXPECT_EQ(played.outcome->result->variants.at(0).seconds.size(), 1u);
}

TEST(EngineProcess, AnEngineThatIgnoresCancelIsKilledAndTheRunStillReadsAsCanceled) {
  const FakeEngine engine("trap '' TERM\n" + std::string(kStarted) +
                          "while true; do sleep 0.05; done");
  EngineProcess process;
  QElapsedTimer sinceCancel;
  const Played played = play(process, engine, [&](const Json& event) {
    if (event.at("event") == "measurement") {
      sinceCancel.start();
      process.cancel();
    }
  });
  EXPECT_EQ(played.outcome->exitCode, 130);
  EXPECT_EQ(played.outcome->result->status, RunStatus::Canceled);
  EXPECT_GE(sinceCancel.elapsed(), 5000);
}

TEST(EngineProcess, ASecondCancelKillsAtOnce) {
  const FakeEngine engine("trap '' TERM\n" + std::string(kStarted) +
                          "while true; do sleep 0.05; done");
  EngineProcess process;
  const Played played = play(process, engine, [&](const Json& event) {
    if (event.at("event") == "measurement") {
      process.cancel();
      process.cancel();
    }
  });
  EXPECT_EQ(played.outcome->exitCode, 130);
}

TEST(EngineProcess, LinesThatAreNoEventsAreNotHandedOn) {
  const FakeEngine engine(std::string("echo 'Intel MKL says hello'; echo '[1]'; echo; ") +
                          kStarted + "event '{\"event\":\"finished\",\"t_ns\":3}'");
  EXPECT_EQ(play(engine).events.size(), 3u);
}

TEST(EngineProcess, TheEngineIsToldThatTheWorkspaceIsLockedAndKeepsItLocked) {
  const FakeEngine engine(std::string(kStarted) + "echo \"$STAGELANE_RUN_LOCK\" > \"$OUT/said\"\n" +
                          "event '{\"event\":\"finished\",\"t_ns\":3}'");
  const auto workspace = engine.folder() / "workspace";
  auto lock = workspace::RunLock::take(workspace, "test");
  ASSERT_TRUE(lock);
  EngineProcess process;
  QEventLoop loop;
  QObject::connect(&process, &EngineProcess::finished, &loop, &QEventLoop::quit);
  ASSERT_TRUE(process.start("experiment.json", engine.out(), std::move(*lock)));
  EXPECT_FALSE(workspace::RunLock::take(workspace, "second"));
  EXPECT_FALSE(process.start("experiment.json", engine.out()));
  loop.exec();
  EXPECT_TRUE(workspace::RunLock::take(workspace, "third"));
  std::ifstream said(engine.out() / "said");
  std::string word;
  said >> word;
  EXPECT_EQ(word, "held");
}

/// Arguments of an engine that `start` has started.
template <class Start>
std::string argumentsOf(Start start) {
  const FakeEngine engine("echo \"$*\" > \"${0%/*}/arguments\"");
  EngineProcess process;
  QEventLoop loop;
  QObject::connect(&process, &EngineProcess::finished, &loop, &QEventLoop::quit);
  EXPECT_TRUE(start(process, engine.out()));
  loop.exec();
  std::ifstream said(engine.folder() / "arguments");
  std::string line;
  std::getline(said, line);
  return line;
}

TEST(EngineProcess, TheNumberOfRanksIsHandedToNewAndToResumedRuns) {
  const std::string started = argumentsOf([](EngineProcess& process, const auto& out) {
    return process.start("experiment.json", out, nullptr, {}, 2);
  });
  EXPECT_NE(started.find(" --ranks 2"), std::string::npos) << started;
  const std::string resumed = argumentsOf(
      [](EngineProcess& process, const auto& out) { return process.resume(out, nullptr, 3); });
  EXPECT_NE(resumed.find("--resume"), std::string::npos) << resumed;
  EXPECT_NE(resumed.find(" --ranks 3"), std::string::npos) << resumed;
  const std::string alone = argumentsOf([](EngineProcess& process, const auto& out) {
    return process.start("experiment.json", out);
  });
  EXPECT_EQ(alone.find("--ranks"), std::string::npos) << alone;
}

TEST(EngineProcess, AMissingEngineSaysHowToAddIt) {
  ::setenv("STAGELANE_ENGINE", "/nowhere/engine", 1);
  EngineProcess process;
  const Status started = process.start("experiment.json", "/tmp");
  ::unsetenv("STAGELANE_ENGINE");
  ASSERT_FALSE(started);
  EXPECT_EQ(started.error().code, ErrorCode::EngineFailure);
  EXPECT_NE(started.error().hint.find("./dev build"), std::string::npos);
}

TEST(EngineProcess, AnEngineThatCannotBeExecutedEndsAsAnEngineFailure) {
  const FakeEngine engine("exit 0");
  const auto script = engine.folder() / "engine";
  std::ofstream(script) << "#!/nowhere/interpreter\n";
  const Played played = play(engine);
  EXPECT_EQ(played.outcome->exitCode, 6);
  EXPECT_TRUE(played.outcome->error);
}

}  // namespace
}  // namespace stagelane::app
