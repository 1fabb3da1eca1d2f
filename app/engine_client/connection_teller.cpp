#include "app/engine_client/connection_teller.h"

#include <algorithm>

#include "ui/kit/text/formatting.h"
#include "ui/session/run/run_connection.h"
#include "ui/session/run/run_state.h"

namespace stagelane::app {
namespace {

constexpr int kTickMs = 250;  ///< several a second, so that no second is skipped

ui::RunLink linkOf(Link link) {
  switch (link) {
    case Link::Starting: return ui::RunLink::Starting;
    case Link::Connected: return ui::RunLink::Connected;
    case Link::Lost: return ui::RunLink::Lost;
    case Link::Trying: return ui::RunLink::Trying;
    case Link::Fetching: return ui::RunLink::Fetching;
  }
  return ui::RunLink::None;
}

}  // namespace

ConnectionTeller::ConnectionTeller(ui::RunState* state, QObject* parent)
    : QObject(parent), m_state(state) {
  m_second.setInterval(kTickMs);
  connect(&m_second, &QTimer::timeout, this, &ConnectionTeller::publish);
}

void ConnectionTeller::tell(const Connection& connection) {
  m_connection = connection;
  if (connection.link == Link::Lost) {
    m_nextTry.setRemainingTime(connection.nextTryMs);
    m_second.start();
  } else {
    m_second.stop();
  }
  publish();
}

void ConnectionTeller::end() {
  m_second.stop();
  m_state->setConnection({});
}

void ConnectionTeller::publish() {
  ui::RunConnection shown;
  shown.link = linkOf(m_connection.link);
  shown.host = ui::qstring(m_connection.host);
  shown.wasLost = m_connection.attempts > 0;
  shown.reason = ui::qstring(m_connection.reason);
  shown.fetchedBytes = m_connection.fetchedBytes;
  shown.totalBytes = m_connection.totalBytes;
  if (shown.link == ui::RunLink::Lost) {
    constexpr qint64 kSecondMs = 1000;
    const qint64 left = (m_nextTry.remainingTime() + kSecondMs - 1) / kSecondMs;
    shown.secondsToTry = static_cast<int>(std::max<qint64>(1, left));
  }
  m_state->setConnection(shown);
}

}  // namespace stagelane::app
