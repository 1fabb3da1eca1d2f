#pragma once

/// The variant and tab that the pages show. Follows the document: when a tab is removed, its
/// neighbor is selected; undo and redo select the variant that they change.

#include <QObject>
#include <QString>
#include <cstddef>
#include <optional>

#include "engine/base/result.h"
#include "engine/plan/experiment.h"
#include "ui/session/document/document.h"

namespace stagelane::ui {

class VariantSelection final : public QObject {
  Q_OBJECT

 public:
  /// @pre `document` outlives this
  explicit VariantSelection(ExperimentDocument* document, QObject* parent = nullptr);

  /// The concrete variant that Plan, Timeline and Charts show (`sweep-s20` for a sweep's member).
  [[nodiscard]] QString variantId() const { return m_variantId; }
  [[nodiscard]] QString tabId() const { return m_tabId; }
  /// Null if it cannot be read.
  [[nodiscard]] const plan::Variant* variant() const;
  /// Why it cannot be read.
  [[nodiscard]] std::optional<Error> error() const;
  /// The search for its placement is still running.
  [[nodiscard]] bool beingPlaced() const;
  void setVariant(const QString& variantId);
  void setTab(const QString& tabId);

 Q_SIGNALS:
  void changed();

 private:
  void onDocumentChanged();

  ExperimentDocument* m_document;
  QString m_tabId;
  QString m_variantId;
  std::size_t m_tabPlace = 0;  ///< index of the current tab
  std::size_t m_tabCount = 0;
};

}  // namespace stagelane::ui
