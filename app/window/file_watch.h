#pragma once

/// Watches the file of the document, so that what another program writes there is neither missed
/// nor written over: tells the session, and does what is answered. What counts is what the file
/// says, not how it is spaced. A file that is gone is no change: saving makes it again.

#include <QFileSystemWatcher>
#include <QObject>
#include <QTimer>
#include <optional>

#include "engine/base/json.h"
#include "engine/base/result.h"

namespace stagelane::ui {
class Session;
}  // namespace stagelane::ui

namespace stagelane::app {

class FileWatch final : public QObject {
  Q_OBJECT

 public:
  explicit FileWatch(ui::Session* session, QObject* parent = nullptr);

  /// The file says something else than when it was read or written here. Reads it.
  [[nodiscard]] bool differs() const;

 Q_SIGNALS:
  /// The file was to be loaded, and cannot be.
  void refused(const Error& error);

 private:
  void follow();  ///< the document's file, as it is now
  void look();
  void answer(bool load);

  ui::Session* m_session;
  QFileSystemWatcher m_watcher;
  QTimer m_delay;
  std::optional<Json> m_known;  ///< what the file says as far as the window knows; none: no file
};

}  // namespace stagelane::app
