#include "ui/timeline/timeline_headline.h"

#include <cmath>
#include <utility>

#include "engine/record/run_record.h"
#include "ui/kit/text/formatting.h"
#include "ui/session/document/variant_selection.h"
#include "ui/session/prediction/prediction.h"
#include "ui/session/prediction/prediction_error.h"
#include "ui/session/prediction/predictor.h"
#include "ui/session/run/measured_results.h"
#include "ui/session/run/median_text.h"
#include "ui/session/run/trace_file.h"
#include "ui/session/session.h"

namespace stagelane::ui {
namespace {

/// Largest relative error of a good prediction.
constexpr double kCloseDifference = 0.05;

bool isCalibrated(const PlanPredictionPtr& prediction) {
  return prediction && prediction->basis != predict::Basis::Estimate;
}

QString foretoldText(TimeNs stepNs, bool estimated) {
  return QObject::tr("predicted ") + (estimated ? u"≈ "_s : QString()) + timeText(stepNs);
}

/// Predicted time of the step, and whether it is an estimate. For a run it is the prediction before
/// the run, as on the other pages; for a trace without a run, the current one. @pre there is a
/// predicted step
std::pair<TimeNs, bool> foretold(const TimelineData& data, const Session& session) {
  const record::VariantResult* result = session.traceFile().opened() == nullptr
                                            ? session.results().of(session.selection().variantId())
                                            : nullptr;
  if (result != nullptr && result->predicted && result->predicted->stepNs > 0) {
    return {result->predicted->stepNs,
            result->predicted->basis == predict::word(predict::Basis::Estimate)};
  }
  return {data.predictedStep()->wallNs(), !isCalibrated(session.predictor().prediction())};
}

TimelineToolbar::Headline headlineOfBoth(const TimelineData& data, const QString& measured,
                                         const QString& measuredInFull, const Session& session) {
  const auto [predictedNs, estimated] = foretold(data, session);
  const double error = predictionError(predictedNs, data.step().wallNs()).value_or(0.0);
  return {foretoldText(predictedNs, estimated) + u"   "_s + measuredInFull, measured,
          QObject::tr("prediction %1").arg(percentDifferenceText(error)),
          predictionErrorTip(QObject::tr("The step")),
          std::abs(error) <= kCloseDifference ? Tone::Success : Tone::Warning};
}

}  // namespace

TimelineToolbar::Headline headlineOf(const TimelineData* data, bool median,
                                     const Session& session) {
  if (data == nullptr) return {};
  const TimeNs measuredNs = data->step().wallNs();
  if (data->trace().predicted()) {
    const QString text = foretoldText(measuredNs, !isCalibrated(session.predictor().prediction()));
    return {text, text, QObject::tr("Predicted"), {}, Tone::Accent};
  }
  const QString measured = QObject::tr("measured %1").arg(timeText(measuredNs));
  const QString middle = median ? shownForMedianText(data->trace()) : QString();
  const QString inFull = middle.isEmpty() ? measured : u"%1, %2"_s.arg(measured, middle);
  if (data->predictedStep() != nullptr) return headlineOfBoth(*data, measured, inFull, session);
  const bool own = session.traceFile().opened() == nullptr;
  return {inFull, measured, own ? QObject::tr("Measured") : QString(), {}, Tone::Success};
}

}  // namespace stagelane::ui
