#pragma once

/// Whether another program has written the file of the document, and what a person wants done about
/// it. Pages show it; whoever watches the file says it, and does what is answered.

#include <QObject>

namespace stagelane::ui {

class FileChange final : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;

  [[nodiscard]] bool found() const { return m_found; }
  void setFound(bool found);
  /// What the file has becomes the document, or the document stays and counts as not saved.
  void answer(bool load) { Q_EMIT answered(load); }

 Q_SIGNALS:
  void changed();
  void answered(bool load);

 private:
  bool m_found = false;
};

}  // namespace stagelane::ui
