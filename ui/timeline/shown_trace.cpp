#include "ui/timeline/shown_trace.h"

#include "engine/record/run_record.h"
#include "ui/kit/text/formatting.h"
#include "ui/session/document/variant_selection.h"
#include "ui/session/prediction/prediction.h"
#include "ui/session/prediction/predictor.h"
#include "ui/session/run/measured_results.h"
#include "ui/session/run/opened_trace.h"
#include "ui/session/run/run_state.h"
#include "ui/session/run/trace_file.h"
#include "ui/session/session.h"

namespace stagelane::ui {

ShownTrace shownTraceOf(const Session& session) {
  ShownTrace shown;
  const OpenedTracePtr opened = session.traceFile().opened();
  if (opened && opened->trace) {
    shown.trace = opened->trace;
    shown.subject = opened->path;
    shown.notes.lost = opened->lost;
    shown.notes.lostReason = opened->problem;
    shown.foreign = true;
    return shown;
  }
  shown.subject = session.selection().variantId();
  const PlanPredictionPtr prediction = session.predictor().prediction();
  const trace::TracePtr predicted = prediction ? prediction->trace : nullptr;
  const trace::TracePtr measured = session.results().trace(shown.subject);
  if (!measured) {
    shown.trace = predicted;  // a prediction has no failure
    return shown;
  }
  shown.trace = measured;
  shown.beside = predicted;
  shown.growing = session.runState().phase() != RunPhase::Idle;
  const record::VariantResult* result = session.results().of(shown.subject);
  if (result != nullptr && result->status == record::RunStatus::Failed) {
    shown.notes.failure = QObject::tr("failed after this step: ") + qstring(result->reason);
  }
  return shown;
}

bool isMeasurementComing(const Session& session) {
  const QString variant = session.selection().variantId();
  return !session.traceFile().opened() && session.runState().phase() == RunPhase::Idle &&
         session.results().traceComing(variant) && !session.results().trace(variant);
}

}  // namespace stagelane::ui
