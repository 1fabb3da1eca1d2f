#include "app/engine_client/host_lookup.h"

#include <gtest/gtest.h>

#include <QTest>
#include <optional>

#include "app/engine_client/remote/hosts.h"
#include "tests/app/fake_host.h"
#include "ui/session/machine.h"
#include "ui/session/session.h"

namespace stagelane::app {
namespace {

class HostLookupTest : public testing::Test {
 protected:
  void SetUp() override {
    QObject::connect(&hosts(), &ui::Hosts::checked, &hosts(),
                     [this](const ui::HostAnswer& answer) { m_answer = answer; });
    QObject::connect(&hosts(), &ui::Hosts::listChanged, &hosts(), [this] { ++m_lists; });
  }
  [[nodiscard]] ui::Hosts& hosts() const { return m_session.machine().hosts(); }

  ui::HostAnswer check(const char* name) {
    m_answer.reset();
    hosts().check({QString::fromLatin1(name), QString::fromStdString(m_host.engine().string())});
    EXPECT_TRUE(QTest::qWaitFor([this] { return m_answer.has_value(); }, 60'000));
    return m_answer.value_or(ui::HostAnswer{});
  }
  void list() {
    const int before = m_lists;
    hosts().requestList();
    EXPECT_TRUE(QTest::qWaitFor([&] { return m_lists > before; }, 60'000));
  }

  fakes::FakeHost m_host{""};
  ui::Session m_session;
  HostLookup m_lookup{&m_session};
  std::optional<ui::HostAnswer> m_answer;
  int m_lists = 0;
};

TEST_F(HostLookupTest, AHostThatIsFoundIsShownWithItsDevicesAndRemembered) {
  m_host.setEngine("[ \"$1\" != version ] || { echo '" + ownEngineVersion() +
                   "'; exit; }\n"
                   "echo '{\"devices\": [{\"id\": \"cuda:0\", \"kind\": \"gpu\", \"name\": \"X\","
                   "\"memory_bytes\": 1024, \"usable\": true, \"reason\": \"\"}]}'\n");
  const ui::HostAnswer answer = check("new-box");
  ASSERT_TRUE(answer.host) << answer.problem.toStdString();
  EXPECT_TRUE(answer.problem.isEmpty()) << answer.problem.toStdString();
  ASSERT_EQ(answer.host->devices.size(), 1U);
  const ui::HostDevice& device = answer.host->devices[0];
  EXPECT_EQ(device.id, DeviceId{"new-box/cuda:0"});
  EXPECT_TRUE(device.isGpu && device.usable);
  EXPECT_EQ(device.memory, 1024);
  EXPECT_NE(hosts().knownNamed(QStringLiteral("new-box")), nullptr);
  EXPECT_NE(hosts().knownNamed(QStringLiteral("box")), nullptr) << "it was remembered before";
}

TEST_F(HostLookupTest, AHostThatIsNotReachedIsAProblemWithACommandAndIsNotRemembered) {
  m_host.put("down");
  const ui::HostAnswer answer = check("new-box");
  EXPECT_FALSE(answer.host);
  EXPECT_FALSE(answer.problem.isEmpty());
  EXPECT_TRUE(answer.command.endsWith(QStringLiteral(" new-box"))) << answer.command.toStdString();
  list();
  EXPECT_EQ(hosts().knownNamed(QStringLiteral("new-box")), nullptr);
}

TEST_F(HostLookupTest, ANameThatIsNoHostIsRefusedWithoutSsh) {
  EXPECT_FALSE(check("-oProxyCommand=x").host);
  EXPECT_EQ(m_host.text("connections"), "");
}

TEST_F(HostLookupTest, ARemovedHostIsForgotten) {
  list();
  ASSERT_NE(hosts().knownNamed(QStringLiteral("box")), nullptr);
  hosts().remove(QStringLiteral("box"));
  EXPECT_TRUE(QTest::qWaitFor([&] { return hosts().known().empty(); }, 60'000));
  EXPECT_TRUE(readHosts(m_host.workspace())->empty());
}

}  // namespace
}  // namespace stagelane::app
