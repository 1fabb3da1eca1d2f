#pragma once

/// Tells a person who looks elsewhere that a run has ended: the window asks for attention, and the
/// desktop shows a message, beside an icon where it has a tray.

#include <QObject>
#include <QSystemTrayIcon>
#include <QWidget>

#include "app/window/desktop_notice.h"

namespace stagelane::ui {
class Session;
}  // namespace stagelane::ui

namespace stagelane::app {

class RunNotice final : public QObject {
  Q_OBJECT

 public:
  RunNotice(ui::Session* session, QWidget* window);
  /// How the run ended, in words. Says nothing to who looks at the window, or without a run.
  void tell(const QString& outcome);

 private:
  void showWindow();

  ui::Session* m_session;
  QWidget* m_window;
  bool m_ran = false;
  DesktopNotice m_desktop;
  QSystemTrayIcon* m_tray = nullptr;  ///< made when it is first needed
};

}  // namespace stagelane::app
