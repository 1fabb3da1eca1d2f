#pragma once

/// Earlier results of variants that the last run left out: running one of five again keeps the
/// results of the other four.

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
  std::shared_ptr<const Json> document;  ///< as run
  trace::TracePtr trace;                 ///< null if none was read
};

class EarlierResults {
 public:
  /// Stores each variant of the run with a measured step, replacing its earlier result.
  void keep(const RunResultPtr& run, const std::shared_ptr<const Json>& document,
            const QHash<QString, trace::TracePtr>& traces);
  void clear() { m_results.clear(); }
  /// The earlier result if @p last, the last run's result of the variant or null, has no timing
  /// because the variant was left out or canceled; else null.
  [[nodiscard]] const EarlierResult* insteadOf(const record::VariantResult* last,
                                               const QString& variantId) const;

 private:
  QHash<QString, EarlierResult> m_results;  ///< by variant id
};

}  // namespace stagelane::ui
