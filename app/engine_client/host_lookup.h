#pragma once

/// Checks hosts that are reached over ssh for the pages, in another thread, and remembers those
/// that it found. Shows nothing itself.

#include <QObject>

#include "ui/kit/latest_job.h"
#include "ui/session/hosts.h"

namespace stagelane::ui {
class Session;
}  // namespace stagelane::ui

namespace stagelane::app {

class HostLookup final : public QObject {
  Q_OBJECT

 public:
  explicit HostLookup(ui::Session* session, QObject* parent = nullptr);

 private:
  void list();
  void check(const ui::HostQuery& query);
  void remove(const QString& name);

  ui::Hosts* m_hosts;
  ui::LatestJob m_listing;
  ui::LatestJob m_checking;
};

}  // namespace stagelane::app
