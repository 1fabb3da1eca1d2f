#pragma once

/// Notifies the user of the end of a run if the window is not active: the window requests attention
/// and the desktop shows a notification, with an icon in the tray if there is one.

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
  /// Shows how the run ended. Does nothing if the window is active or there was no run.
  void tell(const QString& outcome);

 private:
  void showWindow();

  ui::Session* m_session;
  QWidget* m_window;
  bool m_ran = false;
  DesktopNotice m_desktop;
  QSystemTrayIcon* m_tray = nullptr;  ///< created on first use
};

}  // namespace stagelane::app
