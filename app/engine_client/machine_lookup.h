#pragma once

/// Queries this machine's devices from the engine when a page first needs them, in another thread,
/// and updates the session.

#include <QObject>

#include "ui/kit/latest_job.h"

namespace stagelane::ui {
class Session;
}  // namespace stagelane::ui

namespace stagelane::app {

class MachineLookup final : public QObject {
  Q_OBJECT

 public:
  explicit MachineLookup(ui::Session* session, QObject* parent = nullptr);

 private:
  void look();

  ui::Session* m_session;
  ui::LatestJob m_job;
  bool m_known = false;
};

}  // namespace stagelane::app
