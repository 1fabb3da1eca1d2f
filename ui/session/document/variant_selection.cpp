#include "ui/session/document/variant_selection.h"

#include <algorithm>

#include "ui/kit/text/formatting.h"
#include "ui/session/document/schedule_choices.h"

namespace stagelane::ui {
namespace {

/// The index of the only variant that differs or was added; nothing if several differ.
std::optional<std::size_t> onlyChange(const Json& before, const Json& now) {
  if (!before.contains("variants") || !now.contains("variants")) return std::nullopt;
  const Json& then = before["variants"];
  const Json& here = now["variants"];
  const std::size_t added = here.size() - std::min(then.size(), here.size());
  if (added > 1 || then.size() > here.size()) return std::nullopt;
  const auto [old, first] = std::mismatch(then.begin(), then.end(), here.begin());
  if (first == here.end()) return std::nullopt;
  const bool rest = std::equal(added == 1 ? old : std::next(old), then.end(), std::next(first));
  return rest ? std::optional(static_cast<std::size_t>(first - here.begin())) : std::nullopt;
}

}  // namespace

VariantSelection::VariantSelection(ExperimentDocument* document, QObject* parent)
    : QObject(parent), m_document(document) {
  connect(document, &ExperimentDocument::changed, this, &VariantSelection::onDocumentChanged);
  connect(document, &ExperimentDocument::locksChanged, this, &VariantSelection::setTab);
  connect(&document->undoStack(), &QUndoStack::indexChanged, this,
          [this, last = 0, undone = static_cast<const QUndoCommand*>(nullptr),
           before = document->snapshot()](int index) mutable {
            const QUndoStack& stack = m_document->undoStack();
            const auto now = m_document->snapshot();
            const bool redone = index > last && undone != nullptr && stack.command(last) == undone;
            if (index < last || redone) {
              const auto changed = onlyChange(*before, *now);
              if (changed && *changed < m_document->tabs().size()) {
                setTab(QString(m_document->tabs()[*changed].id));
              }
            }
            last = index;
            undone = stack.command(index);
            before = now;
          });
}

const plan::Variant* VariantSelection::variant() const {
  const auto experiment = m_document->experiment();
  return experiment ? experiment->variantById(utf8(m_variantId)) : nullptr;
}

std::optional<Error> VariantSelection::error() const {
  const VariantTab* tab = m_document->tab(m_tabId);
  return tab != nullptr && tab->error ? tab->error : m_document->error();
}

bool VariantSelection::beingPlaced() const {
  const VariantTab* tab = m_document->tab(m_tabId);
  return m_document->planning() && tab != nullptr && placedByMode(m_document->json(), tab->index);
}

void VariantSelection::setVariant(const QString& variantId) {
  const VariantTab* tab = m_document->tabOfVariant(variantId);
  if (tab == nullptr || (variantId == m_variantId && tab->id == m_tabId)) return;
  m_tabId = tab->id;
  m_tabPlace = tab->index;
  m_variantId = variantId;
  Q_EMIT changed();
}

void VariantSelection::setTab(const QString& tabId) {
  const VariantTab* tab = m_document->tab(tabId);
  if (tab == nullptr) return;
  const bool stays = tab->variantIds.contains(m_variantId);
  setVariant(stays ? m_variantId : tab->variantIds.isEmpty() ? tab->id : tab->variantIds.first());
}

void VariantSelection::onDocumentChanged() {
  const VariantTab* tab = m_document->tab(m_tabId);
  const auto& tabs = m_document->tabs();
  if (tab == nullptr && !tabs.empty()) {
    // A renamed tab keeps its index; a removed tab is replaced by its neighbor.
    const bool renamed = tabs.size() == m_tabCount;
    const std::size_t place = renamed || m_tabPlace == 0 ? m_tabPlace : m_tabPlace - 1;
    tab = &tabs[std::min(place, tabs.size() - 1)];
  }
  m_tabCount = tabs.size();
  m_tabPlace = tab == nullptr ? 0 : tab->index;
  const QString tabId = tab == nullptr ? QString() : tab->id;
  QString variantId = m_variantId;
  if (tab == nullptr) {
    variantId.clear();
  } else if (tab->variantIds.isEmpty()) {
    variantId = tab->id;
  } else if (!tab->variantIds.contains(variantId)) {
    variantId = tab->variantIds.first();
  }
  if (tabId != m_tabId || variantId != m_variantId) {
    m_tabId = tabId;
    m_variantId = variantId;
    Q_EMIT changed();
  }
}

}  // namespace stagelane::ui
