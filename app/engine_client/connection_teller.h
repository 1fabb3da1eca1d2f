#pragma once

/// Tells the session about the connection to the host of a run, with the seconds to the next try.

#include <QDeadlineTimer>
#include <QObject>
#include <QTimer>

#include "app/engine_client/remote/connection.h"

namespace stagelane::ui {
class RunState;
}  // namespace stagelane::ui

namespace stagelane::app {

class ConnectionTeller final : public QObject {
  Q_OBJECT

 public:
  /// @pre `state` outlives this
  explicit ConnectionTeller(ui::RunState* state, QObject* parent = nullptr);

  void tell(const Connection& connection);
  /// The run has ended.
  void end();

 private:
  void publish();

  ui::RunState* m_state;
  Connection m_connection;
  QDeadlineTimer m_nextTry;
  QTimer m_second;
};

}  // namespace stagelane::app
