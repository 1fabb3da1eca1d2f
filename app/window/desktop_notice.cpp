#include "app/window/desktop_notice.h"

#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusReply>
#include <QVariantMap>

#include "ui/kit/text/formatting.h"

namespace stagelane::app {
namespace {

constexpr int kPatienceMs = 5000;

QString service() { return u"org.freedesktop.Notifications"_s; }
QString path() { return u"/org/freedesktop/Notifications"_s; }
/// The action name of a click on the message.
QString clickAction() { return u"default"_s; }

QDBusMessage messageOf(uint replaced, const QString& title, const QString& text) {
  QDBusMessage call = QDBusMessage::createMethodCall(service(), path(), service(), u"Notify"_s);
  constexpr int kAsLongAsTheDesktopLikes = -1;
  const QVariantMap hints{{u"desktop-entry"_s, u"stagelane"_s}};
  // Escape the text, because servers may read it as markup.
  call.setArguments({u"Stagelane"_s, replaced, u"stagelane"_s, title, text.toHtmlEscaped(),
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
    bus.connect(service(), path(), service(), u"ActionInvoked"_s, this,
                SLOT(onAction(uint, QString)));
    const QDBusReply<uint> shown = bus.call(message, QDBus::Block, kPatienceMs);
    return [this, id = shown.value()] { m_id = id; };
  });
}

void DesktopNotice::onAction(uint id, const QString& action) {
  if (id == m_id && action == clickAction()) Q_EMIT clicked();
}

}  // namespace stagelane::app
