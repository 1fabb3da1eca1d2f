#include "app/engine_client/remote_engine.h"

#include <gtest/gtest.h>

#include <QEventLoop>
#include <QTimer>
#include <algorithm>
#include <fstream>
#include <functional>
#include <optional>
#include <sstream>
#include <vector>

#include "app/engine_client/engine_process.h"
#include "app/engine_client/remote/host_check.h"
#include "engine/record/run_record.h"
#include "tests/app/fake_host.h"

namespace stagelane::app {
namespace {

using fakes::FakeHost;
using record::RunStatus;

constexpr int kPatienceMs = 60'000;

const char* const kStart =
    "event '{\"event\":\"started\",\"t_ns\":1,\"run\":{\"name\":\"T\",\"timing\":\"steady\"},"
    "\"variants\":[{\"id\":\"a\",\"name\":\"A\",\"status\":\"running\"}],"
    "\"devices\":[\"box/cpu:0\"],\"folder\":\"/there\"}'\n";
const char* const kFinish = "event '{\"event\":\"finished\",\"t_ns\":99}'\n";

/// Shell: measurements 1 … N, a tenth of a second apart.
std::string measurements(int count) {
  return "for n in $(seq 1 " + std::to_string(count) +
         "); do event \"{\\\"event\\\":\\\"measurement\\\",\\\"t_ns\\\":$((n + 1)),"
         "\\\"variant\\\":\\\"a\\\",\\\"repeat\\\":$n,\\\"seconds\\\":0.5}\"; sleep 0.1; done\n";
}

struct Played {
  std::vector<std::string> events;
  std::vector<Link> links;
  std::optional<EngineOutcome> outcome;
};

using OnEvent = std::function<void(const Json&)>;
using OnLink = std::function<void(Link)>;

/// Follows a run to its end, or until `process` is told to leave it.
Played play(EngineProcess& process, const std::function<Status()>& start,
            const OnEvent& onEvent = {}, const OnLink& onLink = {}) {
  Played played;
  QEventLoop loop;
  QObject::connect(&process, &EngineProcess::eventReceived, &loop, [&](const Json& event) {
    std::string name = event.at("event").get<std::string>();
    if (event.contains("repeat")) name += event["repeat"].dump();
    played.events.push_back(name);
    if (onEvent) onEvent(event);
  });
  QObject::connect(&process, &EngineProcess::connectionChanged, &loop,
                   [&](const Connection& connection) {
                     EXPECT_EQ(connection.host, "box");
                     played.links.push_back(connection.link);
                     if (onLink) onLink(connection.link);
                   });
  QObject::connect(&process, &EngineProcess::finished, &loop, [&](const EngineOutcome& outcome) {
    played.outcome = outcome;
    loop.quit();
  });
  QTimer::singleShot(kPatienceMs, &loop, &QEventLoop::quit);
  const Status started = start();
  EXPECT_TRUE(started) << (started ? "" : started.error().message);
  if (!played.outcome) loop.exec();
  EXPECT_TRUE(played.outcome) << "the run did not end in time";
  if (!played.outcome) played.outcome.emplace();
  return played;
}

Played play(const FakeHost& host, const OnEvent& onEvent = {}, const OnLink& onLink = {}) {
  EngineProcess process;
  return play(
      process, [&] { return process.start(host.experiment(), host.out()); }, onEvent, onLink);
}

std::vector<std::string> names(int count, const std::string& last = "finished") {
  std::vector<std::string> all{"started"};
  for (int n = 1; n <= count; ++n) all.push_back("measurement" + std::to_string(n));
  all.push_back(last);
  return all;
}

std::string textOf(const std::filesystem::path& path) {
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

TEST(RemoteEngine, ARunLooksLikeOneOnThisMachine) {
  const FakeHost host(std::string(kStart) + measurements(2) +
                      "mkdir \"$OUT/traces\"; echo t >\"$OUT/traces/a.pftrace\"\n" + kFinish);
  const Played played = play(host, [&](const Json& event) {
    if (!event.contains("folder")) return;
    EXPECT_EQ(event["folder"], host.out().string());
  });
  EXPECT_EQ(played.events, names(2));
  EXPECT_EQ(played.outcome->exitCode, 0);
  ASSERT_TRUE(played.outcome->result);
  EXPECT_EQ(played.outcome->result->status, RunStatus::Done);
  EXPECT_EQ(played.outcome->result->folder, host.out().string());
  EXPECT_EQ(textOf(host.out() / "traces/a.pftrace"), "t\n");
  EXPECT_FALSE(host.hasRuns());
  EXPECT_FALSE(record::isRemoteRunOpen(host.out()));
  EXPECT_FALSE(std::filesystem::exists(host.out() / ".remote"));
  EXPECT_NE(host.text("arguments").find("--host box"), std::string::npos);
}

TEST(RemoteEngine, EventsAreNeitherLostNorRepeatedWhereverTheConnectionBreaks) {
  for (const int bytes : {0, 1, 180, 300}) {
    const FakeHost host(std::string(kStart) + measurements(4) + kFinish);
    host.put("drop", std::to_string(bytes));
    const Played played = play(host);
    EXPECT_EQ(played.events, names(4)) << bytes;
    EXPECT_EQ(host.text("followers"), "x\nx\n");
    EXPECT_NE(std::find(played.links.begin(), played.links.end(), Link::Lost), played.links.end());
  }
}

TEST(RemoteEngine, AHostThatIsDownIsTriedAgain) {
  const FakeHost host(std::string(kStart) + measurements(6) + kFinish);
  host.put("drop", "200");
  int lost = 0;
  const Played played = play(host, {}, [&](Link link) {
    if (link != Link::Lost) return;
    if (++lost == 1) host.put("down");
    if (lost == 3) host.remove("down");
  });
  EXPECT_GE(lost, 3);
  EXPECT_EQ(played.events, names(6));
  EXPECT_EQ(played.outcome->exitCode, 0);
}

TEST(RemoteEngine, AnotherProcessGoesOnWhereTheFirstOneLeft) {
  const FakeHost host(std::string(kStart) + measurements(8) + kFinish);
  Played first;
  {
    EngineProcess process;
    first = play(
        process, [&] { return process.start(host.experiment(), host.out()); },
        [&](const Json& event) {
          if (event.value("repeat", 0) == 3) process.leave();
        });
  }
  EXPECT_TRUE(first.outcome->isLeft);
  EXPECT_TRUE(record::isRemoteRunOpen(host.out()));
  EXPECT_EQ(record::openRun(host.out())->status, RunStatus::Running);
  EXPECT_TRUE(std::filesystem::exists(host.out() / "experiment.json"));
  EngineProcess process;
  const Played second = play(process, [&] { return process.attach(host.out()); });
  std::vector<std::string> all = first.events;
  // Events that had arrived together with the last one are in the folder already.
  const auto known = static_cast<std::ptrdiff_t>(names(8).size() - second.events.size());
  ASSERT_GE(known, static_cast<std::ptrdiff_t>(all.size()));
  all = names(8);
  all.erase(all.begin(), all.begin() + known);
  EXPECT_EQ(second.events, all);
  EXPECT_EQ(second.outcome->result->status, RunStatus::Done);
  EXPECT_EQ(second.outcome->result->variants.at(0).seconds.size(), 8U);
}

TEST(RemoteEngine, ARunThatIsOverIsNotTakenUp) {
  const FakeHost host(std::string(kStart) + kFinish);
  play(host);
  EngineProcess process;
  const Status attached = process.attach(host.out());
  ASSERT_FALSE(attached);
  EXPECT_EQ(attached.error().code, ErrorCode::Invalid);
  EXPECT_FALSE(process.isRunning());
}

TEST(RemoteEngine, ACancelReachesTheEngine) {
  const FakeHost host("trap \"event '{\\\"event\\\":\\\"canceled\\\"}'; exit 130\" TERM\n" +
                      std::string(kStart) + measurements(500));
  EngineProcess process;
  const Played played = play(
      process, [&] { return process.start(host.experiment(), host.out()); },
      [&](const Json& event) {
        if (event.value("repeat", 0) == 2) process.cancel();
      });
  EXPECT_EQ(played.outcome->exitCode, 130);
  EXPECT_EQ(played.events.back(), "canceled");
  EXPECT_EQ(played.outcome->result->status, RunStatus::Canceled);
  EXPECT_FALSE(host.hasRuns());
}

TEST(RemoteEngine, ACancelWaitsForALostConnection) {
  const FakeHost host("trap \"event '{\\\"event\\\":\\\"canceled\\\"}'; exit 130\" TERM\n" +
                      std::string(kStart) + measurements(500));
  host.put("drop", "200");
  EngineProcess process;
  const Played played = play(
      process, [&] { return process.start(host.experiment(), host.out()); }, {},
      [&](Link link) {
        if (link == Link::Lost) process.cancel();
      });
  EXPECT_EQ(played.outcome->exitCode, 130);
  EXPECT_FALSE(played.outcome->isLeft);
  EXPECT_EQ(played.events.back(), "canceled");
}

TEST(RemoteEngine, ASecondCancelKills) {
  const FakeHost host("trap '' TERM\n" + std::string(kStart) + measurements(500));
  EngineProcess process;
  const Played played = play(
      process, [&] { return process.start(host.experiment(), host.out()); },
      [&](const Json& event) {
        if (event.value("repeat", 0) == 2 || event.value("repeat", 0) == 5) process.cancel();
      });
  EXPECT_EQ(played.outcome->exitCode, 130);
  EXPECT_EQ(played.outcome->result->status, RunStatus::Canceled);
}

TEST(RemoteEngine, AKilledEngineFailsTheRunAndKeepsItsMeasurements) {
  const FakeHost host(std::string(kStart) + measurements(2) + "kill -9 $$");
  const Played played = play(host);
  EXPECT_EQ(played.outcome->exitCode, 6);
  ASSERT_TRUE(played.outcome->error);
  EXPECT_EQ(played.outcome->error->failure.kind, FailureKind::Killed);
  EXPECT_EQ(played.outcome->result->status, RunStatus::Failed);
  EXPECT_EQ(played.outcome->result->variants.at(0).seconds.size(), 2U);
}

TEST(RemoteEngine, AnErrorOutsideTheFolderIsTheErrorOfTheRun) {
  const FakeHost host(
      "echo '{\"event\":\"error\",\"t_ns\":0,\"code\":4,\"message\":\"no such device\"}'\n"
      "exit 4");
  const Played played = play(host);
  EXPECT_EQ(played.outcome->exitCode, 4);
  EXPECT_EQ(played.outcome->error->message, "no such device");
  EXPECT_FALSE(played.outcome->result);
  EXPECT_FALSE(std::filesystem::exists(host.out() / "events.jsonl"));
  EXPECT_FALSE(host.hasRuns());
}

TEST(RemoteEngine, AnotherVersionIsNamedWithThisOne) {
  FakeHost host("");
  host.setEngine("echo 'stagelane-engine 0.0.7 (abc)'\n");
  const Played played = play(host);
  EXPECT_EQ(played.outcome->exitCode, 6);
  EXPECT_NE(played.outcome->error->message.find("0.0.7 (abc)"), std::string::npos);
  EXPECT_NE(played.outcome->error->message.find(ownEngineVersion()), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(record::remoteFile(host.out())));
}

TEST(RemoteEngine, AHostThatIsNotReachedFailsTheRunAtOnce) {
  const FakeHost host("");
  host.put("down");
  const Played played = play(host);
  EXPECT_EQ(played.outcome->exitCode, 6);
  EXPECT_EQ(played.outcome->error->failure.host, "box");
  EXPECT_EQ(host.text("connections"), "x\n");
}

TEST(RemoteEngine, AnEndedRunIsResumedOnItsHost) {
  const FakeHost host(
      "case $(cat \"$OUT/events.jsonl\" 2>/dev/null) in\n"
      "  '') " +
      std::string(kStart) + measurements(1) +
      "kill -9 $$ ;;\n"
      "  *) event '{\"event\":\"resumed\",\"t_ns\":50}'\n" +
      kFinish + ";; esac\n");
  play(host);
  std::ofstream(host.out() / "experiment.json") << textOf(host.experiment());
  EngineProcess process;
  const Played second = play(process, [&] { return process.resume(host.out()); });
  EXPECT_EQ(second.events, (std::vector<std::string>{"resumed", "finished"}));
  EXPECT_EQ(second.outcome->result->status, RunStatus::Done);
  EXPECT_EQ(second.outcome->result->variants.at(0).seconds.size(), 1U);
}

TEST(CheckHost, ReturnsEngineVersionAndDevices) {
  const FakeHost host("");
  RemoteHost box;
  box.name = "box";
  box.engine = host.engine();
  const auto checked = checkHost(box);
  ASSERT_TRUE(checked) << checked.error().message;
  EXPECT_EQ(checked->engine, host.engine());
  EXPECT_EQ(checked->version, ownEngineVersion());
  EXPECT_EQ(checked->devices.at(0).at("id"), "cpu:0");
  EXPECT_FALSE(checked->checkedAt.empty());
  EXPECT_EQ(host.text("connections"), "x\n");
  box.engine = "/nowhere/engine";
  const auto missing = checkHost(box);
  ASSERT_FALSE(missing);
  EXPECT_NE(missing.error().message.find("/nowhere/engine"), std::string::npos);
}

}  // namespace
}  // namespace stagelane::app
