#pragma once

/// Variants that the last run left out, as the runs before it measured them: to run one of five
/// again takes nothing from what is known of the other four.

#include <QHash>
#include <QString>
#include <memory>

#include "engine/base/json.h"
#include "engine/record/run_record.h"
#include "engine/trace/trace.h"

namespace stagelane::ui {

using RunResultPtr = std::shared_ptr<const record::RunResult>;

struct EarlierResult {
  RunResultPtr run;  ///< keeps `variant`
  const record::VariantResult* variant = nullptr;
  std::shared_ptr<const Json> document;  ///< as it was run
  trace::TracePtr trace;                 ///< null where none was read
};

class EarlierResults {
 public:
  /// Of each variant of the run with a measured step, in place of what was known of it.
  void keep(const RunResultPtr& run, const std::shared_ptr<const Json>& document,
            const QHash<QString, trace::TracePtr>& traces);
  void clear() { m_results.clear(); }
  /// Where @p last, the last run's result of the variant or null, says nothing of its speed because
  /// it did not take part or was canceled; else null.
  [[nodiscard]] const EarlierResult* insteadOf(const record::VariantResult* last,
                                               const QString& variantId) const;

 private:
  QHash<QString, EarlierResult> m_results;  ///< by variant
};

}  // namespace stagelane::ui
