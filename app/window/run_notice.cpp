#include "app/window/run_notice.h"

#include <QApplication>
#include <utility>

#include "ui/kit/text/formatting.h"
#include "ui/session/document/document.h"
#include "ui/session/run/run_state.h"
#include "ui/session/session.h"

namespace stagelane::app {

RunNotice::RunNotice(ui::Session* session, QWidget* window)
    : QObject(window), m_session(session), m_window(window) {
  connect(&m_desktop, &DesktopNotice::clicked, this, &RunNotice::showWindow);
  connect(&session->runState(), &ui::RunState::phaseChanged, this, [this] {
    m_ran = m_ran || m_session->runState().phase() != ui::RunPhase::Idle;
    if (m_tray != nullptr && m_session->runState().phase() != ui::RunPhase::Idle) {
      // The icon is for the run that ended last.
      m_tray->hide();
    }
  });
}

void RunNotice::tell(const QString& outcome) {
  if (!std::exchange(m_ran, false) || m_window->isActiveWindow()) return;
  QApplication::alert(m_window);
  if (!QSystemTrayIcon::isSystemTrayAvailable() || !QSystemTrayIcon::supportsMessages()) {
    m_desktop.show(m_session->document().name(), outcome);
    return;
  }
  if (m_tray == nullptr) {
    m_tray = new QSystemTrayIcon(QApplication::windowIcon(), this);
    m_tray->setToolTip(u"Stagelane"_s);
    connect(m_tray, &QSystemTrayIcon::messageClicked, this, &RunNotice::showWindow);
  }
  m_tray->show();
  m_tray->showMessage(m_session->document().name(), outcome, QApplication::windowIcon());
}

void RunNotice::showWindow() {
  m_window->setWindowState(m_window->windowState() & ~Qt::WindowMinimized);
  m_window->raise();
  m_window->activateWindow();
}

}  // namespace stagelane::app
