#pragma once

/// Edits left by a window that quit without saving, and the user's answer. Pages show it; the owner
/// of the saved edits sets it and acts on the answer.

#include <QObject>
#include <QString>
#include <optional>
#include <utility>

namespace stagelane::ui {

struct UnsavedWork {
  QString name;  ///< of the experiment
  QString when;  ///< time of the last edit, as text
};

class UnsavedWorkOffer final : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;

  /// What can be restored; nothing if all was saved.
  [[nodiscard]] const std::optional<UnsavedWork>& work() const { return m_work; }
  void set(std::optional<UnsavedWork> work) {
    m_work = std::move(work);
    Q_EMIT changed();
  }
  /// Restores or discards it.
  void answer(bool restore) { Q_EMIT answered(restore); }

 Q_SIGNALS:
  void changed();
  void answered(bool restore);

 private:
  std::optional<UnsavedWork> m_work;
};

}  // namespace stagelane::ui
