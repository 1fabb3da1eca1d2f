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

/// An engine that waits at the beginning of a run until `go` is there.
QByteArray waitingEngine(const QString& go) {
  return QStringLiteral(
             "#!/bin/sh\n"
             "case \"$*\" in run*) while [ ! -e '%1' ]; do sleep 0.05; done ;; esac\n"
             "exec '%2' \"$@\"\n")
      .arg(go, QStringLiteral(STAGELANE_BIN_DIR "/stagelane-engine"))
      .toUtf8();
}

class NoticeTest : public WindowTest {
 protected:
  void SetUp() override {
    WindowTest::SetUp();
    QFile script(path(QStringLiteral("engine")));
    ASSERT_TRUE(script.open(QIODevice::WriteOnly));
    script.write(waitingEngine(m_go));
    script.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    script.close();
    qputenv("STAGELANE_ENGINE", script.fileName().toUtf8());
  }
  void TearDown() override {
    letRun();
    WindowTest::TearDown();
    qunsetenv("STAGELANE_ENGINE");
  }
  void letRun() {
    QFile go(m_go);
    ASSERT_TRUE(go.open(QIODevice::WriteOnly));
  }

  /// Puts the window away, as a person does who works on something else meanwhile.
  void putAway() {
    m_id = outputOf(QStringLiteral("xdotool"),
                    {QStringLiteral("search"), QStringLiteral("--onlyvisible"),
                     QStringLiteral("--name"), QStringLiteral("– Stagelane$")})
               .section(QChar(u'\n'), 0, 0);
    ASSERT_FALSE(m_id.isEmpty());
    outputOf(QStringLiteral("xdotool"), {QStringLiteral("windowminimize"), m_id});
    ASSERT_TRUE(m_window.waitFor(QStringLiteral("the window put away"), [this](const UiMapFile&) {
      return outputOf(QStringLiteral("xprop"),
                      {QStringLiteral("-id"), m_id, QStringLiteral("_NET_WM_STATE")})
          .contains(QStringLiteral("HIDDEN"));
    }));
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
  QString m_go = path(QStringLiteral("go"));
};

TEST_F(NoticeTest, TheEndOfARunIsToldToWhoLooksElsewhere) {
  ASSERT_TRUE(m_window.open({.file = QStringLiteral("toy")}));
  ASSERT_TRUE(m_window.click(QStringLiteral("run")));
  ASSERT_NO_FATAL_FAILURE(putAway());
  ASSERT_NO_FATAL_FAILURE(letRun());
  ASSERT_TRUE(waitForAttention());
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("runMessage"), QStringLiteral("Last run: done")));
}

TEST_F(NoticeTest, TheEndOfASweepIsToldToWhoLooksElsewhere) {
  ASSERT_TRUE(m_window.open({.file = QStringLiteral("toy"), .page = QStringLiteral("runs")}));
  m_window.key(QStringLiteral("ctrl+F5"));
  ASSERT_TRUE(m_window.click(QStringLiteral("sweepStart")));
  ASSERT_TRUE(m_window.waitForControl(QStringLiteral("sweepPanel")));
  ASSERT_NO_FATAL_FAILURE(putAway());
  ASSERT_NO_FATAL_FAILURE(letRun());
  ASSERT_TRUE(waitForAttention());
  ASSERT_TRUE(m_window.waitForText(QStringLiteral("sweepTitle"), QStringLiteral(": done")));
}

TEST_F(NoticeTest, WhoLooksAtTheWindowIsNotDisturbed) {
  ASSERT_NO_FATAL_FAILURE(letRun());
  ASSERT_TRUE(m_window.open({.file = QStringLiteral("toy")}));
  ASSERT_TRUE(m_window.click(QStringLiteral("run")));
  ASSERT_TRUE(
      m_window.waitForText(QStringLiteral("runMessage"), QStringLiteral("Last run: done"), 120000));
  ASSERT_NO_FATAL_FAILURE(putAway());
  EXPECT_FALSE(asksForAttention());
}

}  // namespace
}  // namespace stagelane::gui
