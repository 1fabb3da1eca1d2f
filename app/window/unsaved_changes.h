#pragma once

/// Keeps the edits of a document that is not saved in a file of the workspace, so that a crash, a
/// kill or a power cut does not take them, and offers what another window has left there. The files
/// are written in another thread, within about a second of an edit, and go when the document is
/// saved or the window is closed.

#include <QLockFile>
#include <QObject>
#include <QThreadPool>
#include <QTimer>
#include <memory>
#include <optional>

#include "engine/base/json.h"

namespace stagelane::ui {
class Session;
}  // namespace stagelane::ui

namespace stagelane::app {

class UnsavedChanges final : public QObject {
  Q_OBJECT

 public:
  UnsavedChanges(ui::Session* session, const QString& folder, QObject* parent = nullptr);
  ~UnsavedChanges() override;

  /// Tells the session of the newest that no living window holds.
  void look();
  /// The one that was offered becomes the document, or is forgotten; then looks for another.
  void answer(bool restore);
  /// The window closes in order: nothing is left behind.
  void forget();
  /// Waits until all is written; for tests.
  void settle() { m_pool.waitForDone(); }

 private:
  struct Found {
    QString file;
    Json content;
    std::unique_ptr<QLockFile> lock;
  };
  void keep();
  void write();
  void remove();
  [[nodiscard]] std::optional<Found> newest() const;

  ui::Session* m_session;
  QString m_folder;
  QString m_file;  ///< of this window
  QLockFile m_lock;
  QTimer m_delay;
  QThreadPool m_pool;  ///< one thread: writes and removals come in their order
  std::optional<Found> m_found;
};

}  // namespace stagelane::app
