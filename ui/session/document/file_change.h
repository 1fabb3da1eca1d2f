#pragma once

/// Whether another program has changed the document's file, and the user's answer. Pages show it;
/// the owner of the file watcher sets it and acts on the answer.

#include <QObject>

namespace stagelane::ui {

class FileChange final : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;

  [[nodiscard]] bool found() const { return m_found; }
  void setFound(bool found);
  /// True: the document becomes the file's content. False: it stays and counts as not saved.
  void answer(bool load) { Q_EMIT answered(load); }

 Q_SIGNALS:
  void changed();
  void answered(bool load);

 private:
  bool m_found = false;
};

}  // namespace stagelane::ui
