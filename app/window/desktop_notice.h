#pragma once

/// A message of the desktop by the service that desktops without a tray have too. Where no session
/// bus is there, or nobody on it shows messages, nothing happens.
/// @source https://specifications.freedesktop.org/notification-spec/latest/

#include <QObject>
#include <QString>

#include "ui/kit/latest_job.h"

namespace stagelane::app {

class DesktopNotice final : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;
  /// In the place of the message before. @thread the window's; does not block it
  void show(const QString& title, const QString& text);

 Q_SIGNALS:
  void clicked();

 private Q_SLOTS:
  void onAction(uint id, const QString& action);

 private:
  uint m_id = 0;  ///< of the message that was shown last
  ui::LatestJob m_sending;
};

}  // namespace stagelane::app
