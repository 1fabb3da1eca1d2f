#include "ui/session/run/earlier_results.h"

#include "engine/record/left_out.h"
#include "ui/kit/text/formatting.h"

namespace stagelane::ui {

void EarlierResults::keep(const RunResultPtr& run, const std::shared_ptr<const Json>& document,
                          const QHash<QString, trace::TracePtr>& traces) {
  if (!run || !document) return;
  for (const record::VariantResult& variant : run->variants) {
    if (variant.stepNs > 0) {
      const QString id = qstring(variant.id);
      m_results.insert(id, {run, &variant, document, traces.value(id)});
    }
  }
}

const EarlierResult* EarlierResults::insteadOf(const record::VariantResult* last,
                                               const QString& variantId) const {
  const bool silent = last == nullptr || record::isLeftOut(*last) ||
                      (last->status == record::RunStatus::Canceled && last->seconds.empty());
  const auto found = silent ? m_results.constFind(variantId) : m_results.constEnd();
  return found == m_results.constEnd() ? nullptr : &*found;
}

}  // namespace stagelane::ui
