#include "app/engine_client/connection_teller.h"

#include <gtest/gtest.h>

#include <QTest>

#include "ui/session/run/run_state.h"
#include "ui/session/session.h"

namespace stagelane::app {
namespace {

class ConnectionTellerTest : public testing::Test {
 protected:
  [[nodiscard]] const ui::RunConnection& told() const { return m_session.runState().connection(); }
  ui::Session m_session;
  ConnectionTeller m_teller{&m_session.runState()};
  Connection m_lost{"box", Link::Lost, "the cable is out", 1, 2100};
};

TEST_F(ConnectionTellerTest, CountsTheSecondsToTheNextTry) {
  m_teller.tell(m_lost);
  EXPECT_TRUE(told().isBroken());
  EXPECT_EQ(told().secondsToTry, 3);
  EXPECT_TRUE(QTest::qWaitFor([&] { return told().secondsToTry == 1; }, 60'000));
  EXPECT_EQ(told().reason, QStringLiteral("the cable is out"));
}

TEST_F(ConnectionTellerTest, ALaterTryIsStillABrokenConnectionAndTheFirstOneIsNot) {
  m_teller.tell({"box", Link::Trying, "", 0, 0});
  EXPECT_FALSE(told().isBroken());
  m_lost.link = Link::Trying;
  m_teller.tell(m_lost);
  EXPECT_TRUE(told().isBroken());
}

TEST_F(ConnectionTellerTest, NothingIsToldAfterTheEnd) {
  m_teller.tell(m_lost);
  m_teller.end();
  EXPECT_EQ(told(), ui::RunConnection{});
  QTest::qWait(600);
  EXPECT_EQ(told(), ui::RunConnection{});
}

}  // namespace
}  // namespace stagelane::app
