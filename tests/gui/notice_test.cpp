// When what takes long ends while a person looks elsewhere, the window asks for attention.

#include "tests/gui/experiments.h"
#include "tests/gui/window_test.h"

namespace stagelane::gui {
namespace {

QString outputOf(const QString& program, const QStringList& arguments) {
  QProcess process;
  process.start(program, arguments);
  process.waitForFinished(20000);
  return QString::fromUtf8(process.readAllStandardOutput());
}

class NoticeTest : public WindowTest {
 protected:
  /// Puts the window away, as a person does who works on something else meanwhile.
  void putAway() {
    m_id = outputOf(QStringLiteral("xdotool"),
                    {QStringLiteral("search"), QStringLiteral("--onlyvisible"),
                     QStringLiteral("--name"), QStringLiteral("– Stagelane$")})
               .section(QChar(u'\n'), 0, 0);
    ASSERT_FALSE(m_id.isEmpty());
    outputOf(QStringLiteral("xdotool"), {QStringLiteral("windowminimize"), m_id});
  }

  /// As the window manager sees it: the window is marked in the bar of windows.
  [[nodiscard]] bool asksForAttention() const {
    const QString state = outputOf(
        QStringLiteral("xprop"),
        {QStringLiteral("-id"), m_id, QStringLiteral("_NET_WM_STATE"), QStringLiteral("WM_HINTS")});
    return state.contains(QStringLiteral("ATTENTION")) || state.contains(QStringLiteral("urgency"));
  }

  [[nodiscard]] bool waitForAttention() {
    return m_window.waitFor(
        QStringLiteral("attention"), [this](const UiMapFile&) { return asksForAttention(); },
        120000);
  }

 private:
  QString m_id;
};

TEST_F(NoticeTest, TheEndOfARunIsToldToWhoLooksElsewhere) {
  ASSERT_TRUE(m_window.open({.file = QStringLiteral("toy")}));
  ASSERT_TRUE(m_window.click(QStringLiteral("run")));
  ASSERT_NO_FATAL_FAILURE(putAway());
  ASSERT_TRUE(waitForAttention());
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("runMessage"), QStringLiteral("Last run: done")));
}

TEST_F(NoticeTest, TheEndOfASweepIsToldToWhoLooksElsewhere) {
  ASSERT_TRUE(m_window.open({.file = QStringLiteral("toy"), .page = QStringLiteral("runs")}));
  m_window.key(QStringLiteral("ctrl+F5"));
  ASSERT_TRUE(m_window.click(QStringLiteral("sweepStart")));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("sweepPanel")));
  ASSERT_NO_FATAL_FAILURE(putAway());
  ASSERT_TRUE(waitForAttention());
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("sweepTitle"), QStringLiteral(": done")));
}

TEST_F(NoticeTest, WhoLooksAtTheWindowIsNotDisturbed) {
  ASSERT_TRUE(m_window.open({.file = QStringLiteral("toy")}));
  ASSERT_TRUE(m_window.click(QStringLiteral("run")));
  ASSERT_TRUE(
      m_window.waitForText(QStringLiteral("runMessage"), QStringLiteral("Last run: done"), 120000));
  ASSERT_NO_FATAL_FAILURE(putAway());
  EXPECT_FALSE(asksForAttention());
}

}  // namespace
}  // namespace stagelane::gui
