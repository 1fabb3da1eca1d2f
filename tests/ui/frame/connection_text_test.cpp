#include "ui/frame/connection_text.h"

#include <gtest/gtest.h>

#include "ui/session/run/run_folders.h"
#include "ui/session/run/run_requests.h"
#include "ui/session/run/run_state.h"
#include "ui/session/session.h"

namespace stagelane::ui {
namespace {

class ConnectionTextTest : public testing::Test {
 protected:
  void SetUp() override { m_session.runState().setPhase(RunPhase::Running); }

  BannerText told(const RunConnection& connection) {
    m_session.runState().setConnection(connection);
    return bannerOfRun(m_session).value_or(BannerText{});
  }

  Session m_session;
  RunConnection m_lost{RunLink::Lost, QStringLiteral("box"), QStringLiteral("the cable is out"), 3,
                       true};
};

TEST_F(ConnectionTextTest, ALostConnectionIsAWarningThatSaysWhenItIsTriedAgain) {
  const BannerText text = told(m_lost);
  EXPECT_EQ(text.kind, BannerKind::Warning);
  EXPECT_EQ(text.title.toStdString(), "Connection to box lost");
  EXPECT_TRUE(text.detail.contains(QStringLiteral("3 s"))) << text.detail.toStdString();
  EXPECT_TRUE(text.detail.endsWith(QStringLiteral("\nThe cable is out")));
  EXPECT_EQ(text.acts, std::vector{BannerAct::TryNow});
  EXPECT_FALSE(connectionText(m_session).isEmpty());
}

TEST_F(ConnectionTextTest, TheWarningStaysWhileItIsTriedAndGoesWhenItIsBack) {
  told(m_lost);
  m_lost.link = RunLink::Trying;
  EXPECT_EQ(told(m_lost).title.toStdString(), "Connection to box lost");
  EXPECT_EQ(told({RunLink::Connected, QStringLiteral("box"), {}}).title.toStdString(), "Running");
  EXPECT_EQ(connectionText(m_session), QString());
}

TEST_F(ConnectionTextTest, ACanceledRunThatIsNotReachedCanBeLeft) {
  m_session.runState().setPhase(RunPhase::Canceling);
  EXPECT_EQ(told(m_lost).acts, (std::vector{BannerAct::TryNow, BannerAct::LeaveRun}));
}

TEST_F(ConnectionTextTest, CopyingShowsItsBytesWhereTheyAreKnown) {
  RunConnection fetching{RunLink::Fetching, QStringLiteral("box"), {}};
  const QString unknown = told(fetching).detail;
  fetching.fetchedBytes = 1 << 20;
  fetching.totalBytes = 4 << 20;
  const BannerText text = told(fetching);
  EXPECT_EQ(text.kind, BannerKind::Running);
  EXPECT_NE(text.detail, unknown);
  EXPECT_TRUE(text.detail.contains(QStringLiteral("MiB"))) << text.detail.toStdString();
}

TEST_F(ConnectionTextTest, ARunOnThisMachineHasNone) {
  EXPECT_FALSE(bannerOfConnection(m_session));
  EXPECT_EQ(connectionText(m_session), QString());
}

TEST_F(ConnectionTextTest, ARunThatWasLeftIsOfferedUnlessAnotherOneGoesOn) {
  const LeftRun left{
      QStringLiteral("/w/runs/2"), QStringLiteral("box"), QStringLiteral("toy"), false, {}};
  m_session.runFolders().setLeft({left});
  EXPECT_FALSE(bannerOfLeft(m_session));
  m_session.runState().setPhase(RunPhase::Idle);
  const auto text = bannerOfLeft(m_session);
  ASSERT_TRUE(text);
  EXPECT_EQ(text->title.toStdString(), "The run of toy continues on box.");
  EXPECT_EQ(text->acts, (std::vector{BannerAct::TakeUp, BannerAct::DismissLeft}));
  m_session.runFolders().dismissLeft();
  EXPECT_FALSE(bannerOfLeft(m_session));
}

TEST_F(ConnectionTextTest, ARunThatWasLeftForAReasonSaysIt) {
  m_session.runState().setPhase(RunPhase::Idle);
  m_session.runFolders().setLeft(
      {{QStringLiteral("/w/runs/2"), QStringLiteral("box"), QStringLiteral("toy"), false,
        QStringLiteral("The disk is full.")},
       {}});
  const auto text = bannerOfLeft(m_session);
  ASSERT_TRUE(text);
  EXPECT_EQ(text->kind, BannerKind::Warning);
  EXPECT_TRUE(text->detail.startsWith(QStringLiteral("The disk is full.")));
  EXPECT_TRUE(text->detail.contains(QStringLiteral("1 more"))) << text->detail.toStdString();
}

}  // namespace
}  // namespace stagelane::ui
