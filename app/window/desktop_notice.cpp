#include "app/window/desktop_notice.h"

#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusReply>
#include <QVariantMap>

namespace stagelane::app {
namespace {

constexpr int kPatienceMs = 5000;

QString service() { return QStringLiteral("org.freedesktop.Notifications"); }
QString path() { return QStringLiteral("/org/freedesktop/Notifications"); }
/// The action name of a click on the message.
QString clickAction() { return QStringLiteral("default"); }

QDBusMessage messageOf(uint replaced, const QString& title, const QString& text) {
  QDBusMessage call =
      QDBusMessage::createMethodCall(service(), path(), service(), QStringLiteral("Notify"));
  constexpr int kAsLongAsTheDesktopLikes = -1;
  const QVariantMap hints{{QStringLiteral("desktop-entry"), QStringLiteral("stagelane")}};
  // Escape the text, because servers may read it as markup.
  call.setArguments({QStringLiteral("Stagelane"), replaced, QStringLiteral("stagelane"), title,
                     text.toHtmlEscaped(),
                     QStringList{clickAction(), QObject::tr("Show the window")}, hints,
                     kAsLongAsTheDesktopLikes});
  return call;
}

}  // namespace

void DesktopNotice::show(const QString& title, const QString& text) {
  const QDBusMessage message = messageOf(m_id, title, text);
  // Connect in another thread, because a bus that does not respond blocks.
  m_sending.start([this, message](const std::atomic<bool>&) -> std::function<void()> {
    QDBusConnection bus = QDBusConnection::sessionBus();
    if (!bus.isConnected()) return {};
    bus.connect(service(), path(), service(), QStringLiteral("ActionInvoked"), this,
                SLOT(onAction(uint, QString)));
    const QDBusReply<uint> shown = bus.call(message, QDBus::Block, kPatienceMs);
    return [this, id = shown.value()] { m_id = id; };
  });
}

void DesktopNotice::onAction(uint id, const QString& action) {
  if (id == m_id && action == clickAction()) Q_EMIT clicked();
}

}  // namespace stagelane::app
