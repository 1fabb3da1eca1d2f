#pragma once

/// Watches the document's file for changes by other programs, so that they are neither missed nor
/// overwritten: informs the session and applies the user's choice. Compares JSON values, not
/// whitespace. A deleted file is not a change: saving creates it again.

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

  /// Reads the file. True if its content differs from the last read or write.
  [[nodiscard]] bool differs() const;

 Q_SIGNALS:
  /// The changed file cannot be loaded.
  void refused(const Error& error);

 private:
  void follow();  ///< watches the document's current file
  void look();
  void answer(bool load);

  ui::Session* m_session;
  QFileSystemWatcher m_watcher;
  QTimer m_delay;
  std::optional<Json> m_known;  ///< last known content; empty without a file
};

}  // namespace stagelane::app
