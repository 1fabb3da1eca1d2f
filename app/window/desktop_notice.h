#pragma once

/// A desktop notification, which also works on desktops without a tray. Does nothing without a
/// session bus or notification service.
/// @source https://specifications.freedesktop.org/notification-spec/latest/

#include <QObject>
#include <QString>

#include "ui/kit/latest_job.h"

namespace stagelane::app {

class DesktopNotice final : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;
  /// Replaces the previous message. @thread GUI; does not block
  void show(const QString& title, const QString& text);

 Q_SIGNALS:
  void clicked();

 private Q_SLOTS:
  void onAction(uint id, const QString& action);

 private:
  uint m_id = 0;  ///< of the last message shown
  ui::LatestJob m_sending;
};

}  // namespace stagelane::app
