#pragma once

/// `--shot`, `--ui-map` and `--stay`: waits until the window is settled, writes its screenshot and
/// the map of its controls, then exits or keeps the map up to date.

#include <QObject>
#include <QTimer>
#include <string>

#include "app/window/main_window.h"

namespace stagelane::app {

class Automation final : public QObject {
  Q_OBJECT

 public:
  Automation(MainWindow* window, const WindowOptions& options);

 private:
  void poll();
  void write();
  void fail(const Error& error);
  [[nodiscard]] Status writeShot() const;
  [[nodiscard]] Status writeMap();

  MainWindow* m_window;
  WindowOptions m_options;
  QTimer m_timer;
  int m_calmPolls = 0;
  int m_polls = 0;
  bool m_written = false;
  std::string m_lastMap;
};

}  // namespace stagelane::app
