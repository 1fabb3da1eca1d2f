// When a long operation ends while the window is not active, the window asks for attention.

#include <QCoreApplication>
#include <QDBusConnection>
#include <QStandardPaths>

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

/// A desktop's service for messages, on a separate bus.
class Desktop final : public QObject {
  Q_OBJECT
  Q_CLASSINFO("D-Bus Interface", "org.freedesktop.Notifications")

 public:
  ~Desktop() override {
    m_daemon.kill();
    m_daemon.waitForFinished();
  }
  [[nodiscard]] bool start() {
    m_daemon.start(QStringLiteral("dbus-daemon"),
                   {QStringLiteral("--session"), QStringLiteral("--nofork"),
                    QStringLiteral("--print-address=1")});
    if (!m_daemon.waitForReadyRead(20000)) return false;
    m_address = QString::fromUtf8(m_daemon.readLine()).trimmed();
    QDBusConnection bus = QDBusConnection::connectToBus(m_address, m_address);
    return bus.registerObject(QStringLiteral("/org/freedesktop/Notifications"), this,
                              QDBusConnection::ExportAllContents) &&
           bus.registerService(QStringLiteral("org.freedesktop.Notifications"));
  }
  [[nodiscard]] QString address() const { return m_address; }
  [[nodiscard]] QStringList messages() const { return m_messages; }

 public Q_SLOTS:
  uint Notify(const QString& /*program*/, uint /*replaced*/, const QString& /*icon*/,
              const QString& title, const QString& text, const QStringList& /*actions*/,
              const QVariantMap& /*hints*/, int /*timeoutMs*/) {
    m_messages.append(title + QStringLiteral(": ") + text);
    return kId;
  }

 Q_SIGNALS:
  void ActionInvoked(uint id, const QString& action);

 public:
  void click() { Q_EMIT ActionInvoked(kId, QStringLiteral("default")); }

 private:
  static constexpr uint kId = 7;
  QProcess m_daemon;
  QString m_address;
  QStringList m_messages;
};

/// An engine that waits at the beginning of a run until the file `go` exists.
QByteArray waitingEngine(const QString& go) {
  return QStringLiteral(
             "#!/bin/sh\n"
             "case \"$*\" in run*) while [ ! -e '%1' ]; do sleep 0.05; done ;; esac\n"
             "exec '%2' \"$@\"\n")
      .arg(go, QString::fromStdString(checkout::programs() + "/stagelane-engine"))
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

  /// Minimizes the window, as a user does who works in another one.
  void putAway() {
    m_id = outputOf(QStringLiteral("xdotool"),
                    {QStringLiteral("search"), QStringLiteral("--onlyvisible"),
                     QStringLiteral("--name"), QStringLiteral("— Stagelane$")})
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

  [[nodiscard]] bool isActive() const {
    return outputOf(QStringLiteral("xdotool"), {QStringLiteral("getactivewindow")}).trimmed() ==
           m_id;
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

TEST_F(NoticeTest, TheDesktopShowsAMessageThatBringsTheWindowBack) {
  if (QStandardPaths::findExecutable(QStringLiteral("dbus-daemon")).isEmpty()) {
    GTEST_SKIP() << "no dbus-daemon here; Debian's package dbus-daemon has it";
  }
  Desktop desktop;
  ASSERT_TRUE(desktop.start());
  qputenv("DBUS_SESSION_BUS_ADDRESS", desktop.address().toUtf8());
  const bool opened = m_window.open({.file = QStringLiteral("toy")});
  qunsetenv("DBUS_SESSION_BUS_ADDRESS");
  ASSERT_TRUE(opened);
  ASSERT_TRUE(m_window.click(QStringLiteral("run")));
  ASSERT_NO_FATAL_FAILURE(putAway());
  ASSERT_NO_FATAL_FAILURE(letRun());
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("a message"), [&](const UiMapFile&) {
    QCoreApplication::processEvents();
    return !desktop.messages().isEmpty();
  }));
  EXPECT_TRUE(desktop.messages()[0].startsWith(QStringLiteral("Toy model: Last run: done")))
      << desktop.messages()[0].toStdString();
  EXPECT_FALSE(isActive());
  desktop.click();
  ASSERT_TRUE(m_window.waitFor(QStringLiteral("the window in front"), [&](const UiMapFile&) {
    QCoreApplication::processEvents();
    return isActive();
  }));
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

#include "notice_test.moc"
#include "tests/support/paths.h"
