#pragma once

/// Writes unsaved edits to a file in the workspace so that they survive a crash, a kill or a power
/// cut, and offers the edits that another window left there. Writes in another thread, within about
/// a second of an edit. Saving the document or closing the window deletes the file.

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

  /// Offers the session the newest edits that no running window holds.
  void look();
  /// Loads or discards the offered edits, then looks for others.
  void answer(bool restore);
  /// Deletes the file on a normal close.
  void forget();
  /// Waits for pending writes; for tests.
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
  QThreadPool m_pool;  ///< one thread, to keep writes and removals in order
  std::optional<Found> m_found;
};

}  // namespace stagelane::app
