#pragma once

/// Edits that a window which ended without saving has left behind, and what a person wants done
/// about them. Pages show it; whoever keeps the edits sets it, and does what is answered.

#include <QObject>
#include <QString>
#include <optional>
#include <utility>

namespace stagelane::ui {

struct UnsavedWork {
  QString name;  ///< of the experiment
  QString when;  ///< of the last edit, in words
};

class UnsavedWorkOffer final : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;

  /// What can be restored; nothing when all was saved.
  [[nodiscard]] const std::optional<UnsavedWork>& work() const { return m_work; }
  void set(std::optional<UnsavedWork> work) {
    m_work = std::move(work);
    Q_EMIT changed();
  }
  /// Restores it, or discards it.
  void answer(bool restore) { Q_EMIT answered(restore); }

 Q_SIGNALS:
  void changed();
  void answered(bool restore);

 private:
  std::optional<UnsavedWork> m_work;
};

}  // namespace stagelane::ui
