// Runs on another host, as the session sees them.

#include <gtest/gtest.h>

#include <QTest>
#include <memory>

#include "app/engine_client/run_controller.h"
#include "engine/record/remote_run.h"
#include "tests/app/fake_host.h"
#include "tests/app/toy_document.h"
#include "ui/session/document/document.h"
#include "ui/session/run/measured_results.h"
#include "ui/session/run/run_folders.h"
#include "ui/session/run/run_requests.h"
#include "ui/session/run/run_state.h"
#include "ui/session/session.h"

namespace stagelane::app {
namespace {

using ui::RunLink;
using ui::RunPhase;

constexpr int kPatienceMs = 60'000;

// The run ends when the host's file `go` exists.
const char* const kWaitingRun =
    "event '{\"event\":\"started\",\"t_ns\":1,\"run\":{\"name\":\"T\",\"timing\":\"steady\"},"
    "\"variants\":[{\"id\":\"p\",\"name\":\"p\",\"status\":\"running\"}],"
    "\"devices\":[\"box/cpu:0\"]}'\n"
    "event "
    "'{\"event\":\"measurement\",\"t_ns\":2,\"variant\":\"p\",\"repeat\":1,\"seconds\":0.01}'\n"
    "while [ ! -e \"${0%/*}/go\" ]; do sleep 0.05; done\n"
    "event '{\"event\":\"finished\",\"t_ns\":3}'\n";

class RunControllerOnHost : public testing::Test {
 protected:
  RunControllerOnHost() {
    qputenv("STAGELANE_ENGINE", "/does/not/exist");
    Json document = toy();
    document["devices"] = {"box/cpu:0", "box/cpu:1"};
    document["variants"][0]["stages"][0]["device"] = "box/cpu:0";
    document["variants"][0]["stages"][1]["device"] = "box/cpu:1";
    m_session->document().load(document, {}, {});
  }
  ~RunControllerOnHost() override {
    m_host.put("go");
    m_controller.reset();
    qunsetenv("STAGELANE_ENGINE");
  }

  [[nodiscard]] ui::RunState& state() const { return m_session->runState(); }
  [[nodiscard]] bool waitFor(const std::function<bool()>& holds) const {
    return QTest::qWaitFor(holds, kPatienceMs);
  }
  [[nodiscard]] bool waitForLink(RunLink link) const {
    return waitFor([&] { return state().connection().link == link; });
  }
  [[nodiscard]] bool waitForMeasurement() const {
    return waitFor([this] {
      const auto run = m_session->results().result();
      return run && !run->variants.empty() && run->variants[0].seconds.size() == 1;
    });
  }
  [[nodiscard]] bool waitForEnd() const {
    return waitFor([this] { return state().phase() == RunPhase::Idle; });
  }
  /// As when the window is closed and opened again.
  void restart() {
    m_controller.reset();
    m_session = std::make_unique<ui::Session>();
    m_controller = std::make_unique<RunController>(m_session.get());
  }

  fakes::FakeHost m_host{kWaitingRun};
  std::unique_ptr<ui::Session> m_session = std::make_unique<ui::Session>();
  std::unique_ptr<RunController> m_controller = std::make_unique<RunController>(m_session.get());
};

TEST_F(RunControllerOnHost, ARunNeedsNoEngineOnThisMachine) {
  m_session->runRequests().run({});
  ASSERT_TRUE(waitForMeasurement()) << state().problem().toStdString();
  EXPECT_TRUE(waitForLink(RunLink::Connected));
  EXPECT_EQ(m_controller->host(), QStringLiteral("box"));
  m_host.put("go");
  ASSERT_TRUE(waitForEnd());
  EXPECT_EQ(m_session->results().result()->status, record::RunStatus::Done);
  EXPECT_EQ(state().connection(), ui::RunConnection{});
  EXPECT_TRUE(m_session->runFolders().left().empty());
}

TEST_F(RunControllerOnHost, ALostConnectionIsToldAndTakenBack) {
  m_host.put("drop", "1");
  m_session->runRequests().run({});
  ASSERT_TRUE(waitForLink(RunLink::Lost));
  EXPECT_FALSE(state().connection().reason.isEmpty());
  EXPECT_TRUE(waitForLink(RunLink::Connected));
  EXPECT_TRUE(waitForMeasurement());
}

TEST_F(RunControllerOnHost, ARunGoesOnWithoutTheWindowAndIsTakenUpByTheNext) {
  m_session->runRequests().run({});
  ASSERT_TRUE(waitForMeasurement());
  const QString folder = QString::fromStdString(m_session->results().folder().string());
  restart();
  ASSERT_TRUE(waitFor([this] { return !m_session->runFolders().left().empty(); }));
  const ui::LeftRun left = m_session->runFolders().left().front();
  EXPECT_EQ(left.folder, folder);
  EXPECT_EQ(left.host, QStringLiteral("box"));
  EXPECT_EQ(left.name, QStringLiteral("t"));
  m_session->runRequests().resume(folder);
  ASSERT_TRUE(waitForMeasurement()) << state().problem().toStdString();
  EXPECT_TRUE(waitForLink(RunLink::Connected));
  EXPECT_TRUE(waitFor([this] { return m_session->runFolders().left().empty(); }));
  m_host.put("go");
  ASSERT_TRUE(waitForEnd());
  EXPECT_EQ(m_session->results().result()->status, record::RunStatus::Done);
  EXPECT_FALSE(record::isRemoteRunOpen(folder.toStdString()));
}

TEST_F(RunControllerOnHost, ASecondCancelLeavesARunThatIsNotReached) {
  m_session->runRequests().run({});
  ASSERT_TRUE(waitForMeasurement());
  m_host.put("down");
  restart();
  ASSERT_TRUE(waitFor([this] { return !m_session->runFolders().left().empty(); }));
  m_session->runRequests().resume(m_session->runFolders().left().front().folder);
  ASSERT_TRUE(waitForLink(RunLink::Lost));
  m_session->runRequests().cancel();
  EXPECT_EQ(state().phase(), RunPhase::Canceling);
  m_session->runRequests().cancel();
  ASSERT_TRUE(waitForEnd());
  EXPECT_TRUE(waitFor([this] { return !m_session->runFolders().left().empty(); }))
      << "it continues there";
  m_host.remove("down");
}

}  // namespace
}  // namespace stagelane::app
