// The files of a run on another host: what is sent, what is mirrored, what comes back, and the list
// of hosts.

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "app/engine_client/remote/event_mirror.h"
#include "app/engine_client/remote/fetched_run.h"
#include "app/engine_client/remote/hosts.h"
#include "app/engine_client/remote/open_runs.h"
#include "app/engine_client/remote/upload.h"
#include "engine/record/remote_run.h"
#include "engine/record/run_record.h"
#include "tests/support/temporary_folder.h"

namespace stagelane::app {
namespace {

namespace fs = std::filesystem;

void write(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  std::ofstream(path) << text;
}

std::string textOf(const fs::path& path) {
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

TEST(EventMirror, FindsEventsWhateverThePiecesAre) {
  const std::string text =
      "{\"event\":\"a\",\"t_ns\":1}\n{\"event\":\"b\",\"t_ns\":2}\nnoise\n{\"event\":\"c\"}\n";
  for (std::size_t piece = 1; piece <= text.size(); ++piece) {
    const test::TemporaryFolder folder;
    auto mirror = EventMirror::open(folder.path());
    ASSERT_TRUE(mirror);
    std::string names;
    for (std::size_t at = 0; at < text.size(); at += piece) {
      const auto events = (*mirror)->take(QByteArray::fromStdString(text.substr(at, piece)));
      ASSERT_TRUE(events);
      for (const Json& event : *events) names += event.at("event").get<std::string>();
    }
    EXPECT_EQ(names, "abc") << piece;
    EXPECT_EQ((*mirror)->size(), static_cast<std::int64_t>(text.size()));
    EXPECT_EQ(textOf(folder / "events.jsonl"), text);
  }
}

TEST(EventMirror, GoesOnInsideALine) {
  const test::TemporaryFolder folder;
  write(folder / "events.jsonl", "{\"event\":\"a\"}\n{\"event\"");
  auto mirror = EventMirror::open(folder.path());
  ASSERT_TRUE(mirror);
  EXPECT_EQ((*mirror)->size(), 22);
  const auto events = (*mirror)->take(":\"b\"}\n{");
  ASSERT_TRUE(events);
  ASSERT_EQ(events->size(), 1U);
  EXPECT_EQ(events->front().at("event"), "b");
}

TEST(EventMirror, IsForOneProgramAtATime) {
  const test::TemporaryFolder folder;
  const auto first = EventMirror::open(folder.path());
  ASSERT_TRUE(first);
  const auto second = EventMirror::open(folder.path());
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::CannotWrite);
}

TEST(EventMirror, RefusesALink) {
  const test::TemporaryFolder folder;
  write(folder / "other", "");
  fs::create_symlink(folder / "other", folder / "events.jsonl");
  EXPECT_FALSE(EventMirror::open(folder.path()));
}

class FetchedRun : public testing::Test {
 protected:
  FetchedRun() {
    write(m_here / "events.jsonl", "{\"event\":\"a\"}\n");
    write(m_copy / "events.jsonl", "{\"event\":\"a\"}\n");
    write(m_copy / "traces/single.pftrace", "new");
    write(m_copy / "result.json", "{}");
    write(m_copy / "experiment.json", "{}");
  }
  test::TemporaryFolder m_folder;
  fs::path m_here = m_folder / "here";
  fs::path m_copy = m_folder / "here/.remote/copy";
};

TEST_F(FetchedRun, ReplacesFilesButNotTheEventsAndTheResult) {
  write(m_here / "traces/single.pftrace", "old");
  ASSERT_TRUE(takeFetchedRun(m_copy, m_here));
  EXPECT_EQ(textOf(m_here / "traces/single.pftrace"), "new");
  EXPECT_TRUE(fs::exists(m_here / "experiment.json"));
  EXPECT_FALSE(fs::exists(m_here / "result.json"));
}

TEST_F(FetchedRun, RefusesLinks) {
  fs::create_symlink("/etc", m_copy / "traces/more");
  const Status taken = takeFetchedRun(m_copy, m_here);
  ASSERT_FALSE(taken);
  EXPECT_EQ(taken.error().code, ErrorCode::EngineFailure);
  EXPECT_FALSE(fs::exists(m_here / "traces"));
}

TEST_F(FetchedRun, RefusesOtherEventsThanThoseThatArrived) {
  write(m_here / "events.jsonl", "{\"event\":\"b\"}\n");
  EXPECT_FALSE(takeFetchedRun(m_copy, m_here));
  EXPECT_FALSE(fs::exists(m_here / "experiment.json"));
}

TEST(GatherUpload, IsCompleteByItself) {
  const test::TemporaryFolder folder;
  write(folder / "my/model.json", R"({"layers": [{"name": "a", "kind": "ReLU"}]})");
  write(folder / "my/orders/one.csv", "0F0\n");
  write(folder / "my/experiment.json", R"({"model": {"file": "model.json"}, "variants": [
        {"schedule": {"csv": "orders/one.csv"}},
        {"schedule": ["gpipe", {"csv": "orders/one.csv"}]}, {"schedule": "1f1b"}]})");
  write(folder / "my/plan.json", "the plan");
  const fs::path sent = folder / "sent";
  const Status gathered =
      gatherUpload({folder / "my/experiment.json", folder / "my/plan.json", {}}, sent);
  ASSERT_TRUE(gathered) << gathered.error().message;
  const Json document = Json::parse(textOf(sent / "experiment.json"));
  EXPECT_TRUE(document.at("model").contains("layers"));
  EXPECT_EQ(document["variants"][0]["schedule"]["csv"], "schedules/one.csv");
  EXPECT_EQ(document["variants"][1]["schedule"][1]["csv"], "schedules/one-2.csv");
  EXPECT_EQ(document["variants"][2]["schedule"], "1f1b");
  EXPECT_EQ(textOf(sent / "schedules/one-2.csv"), "0F0\n");
  EXPECT_EQ(textOf(sent / "plan.json"), "the plan");
  EXPECT_FALSE(fs::exists(sent / "costs.json"));
}

TEST(Hosts, AreKeptSortedByName) {
  const test::TemporaryFolder folder;
  EXPECT_TRUE(readHosts(folder.path())->empty());
  RemoteHost box;
  box.name = "box";
  box.engine = "/opt/engine";
  ASSERT_TRUE(saveHost(folder.path(), box));
  RemoteHost attic;
  attic.name = "me@attic";
  attic.devices.push_back({{"id", "cuda:0"}});
  ASSERT_TRUE(saveHost(folder.path(), attic));
  box.engine = "/opt/newer";
  ASSERT_TRUE(saveHost(folder.path(), box));
  const auto hosts = readHosts(folder.path());
  ASSERT_EQ(hosts->size(), 2U);
  EXPECT_EQ(hosts->at(0).engine, "/opt/newer");
  EXPECT_EQ(hosts->at(1).devices.at(0).at("id"), "cuda:0");
  EXPECT_EQ(hostNamed(folder.path(), "box").engine, "/opt/newer");
  EXPECT_EQ(hostNamed(folder.path(), "other").engine, "");
  ASSERT_TRUE(removeHost(folder.path(), "box"));
  ASSERT_TRUE(removeHost(folder.path(), "box"));
  EXPECT_EQ(readHosts(folder.path())->size(), 1U);
}

TEST(Hosts, RefuseNamesThatSshWouldTakeForOptionsAndDamagedFiles) {
  const test::TemporaryFolder folder;
  RemoteHost host;
  host.name = "-oProxyCommand=x";
  EXPECT_FALSE(saveHost(folder.path(), host));
  for (const char* text : {"", "[]", "{\"hosts\": 5}"}) {
    write(folder / "hosts.json", text);
    EXPECT_FALSE(readHosts(folder.path())) << text;
    EXPECT_EQ(hostNamed(folder.path(), "box").name, "box");
  }
  write(folder / "hosts.json", R"({"hosts": [5, {}, {"name": "-x"}, {"name": "box"}]})");
  EXPECT_EQ(readHosts(folder.path())->size(), 1U);
}

TEST(OpenRemoteRuns, AreThoseThatAreNotOver) {
  const test::TemporaryFolder folder;
  for (const char* name : {"20260102-b", "20260101-a", "20260103-c", "20260104-d"}) {
    fs::create_directories(folder / "runs" / name);
  }
  record::RemoteRun run;
  run.host = "box";
  run.id = "1";
  ASSERT_TRUE(record::writeRemoteRun(folder / "runs/20260102-b", run));
  ASSERT_TRUE(record::writeRemoteRun(folder / "runs/20260101-a", run));
  run.isOver = true;
  ASSERT_TRUE(record::writeRemoteRun(folder / "runs/20260103-c", run));
  const auto runs = openRemoteRuns(folder.path());
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[0].folder.filename(), "20260101-a");
  EXPECT_EQ(runs[1].host, "box");
  EXPECT_TRUE(openRemoteRuns(folder / "nothing").empty());
}

}  // namespace
}  // namespace stagelane::app
