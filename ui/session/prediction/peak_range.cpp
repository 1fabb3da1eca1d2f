#include "ui/session/prediction/peak_range.h"

#include <QObject>
#include <algorithm>
#include <cmath>

#include "engine/plan/imagined.h"
#include "ui/kit/text/formatting.h"

namespace stagelane::ui {
namespace {

plan::DeviceKind kindOf(const plan::Experiment& experiment, const DeviceId& device) {
  const auto parsed = plan::parseDevice(plan::realDevice(experiment.devices, device));
  return parsed ? parsed->kind : plan::DeviceKind::CpuWorker;
}

Bytes times(Bytes bytes, double factor) {
  return static_cast<Bytes>(std::llround(static_cast<double>(bytes) * factor));
}

QString countsText(const workspace::PeakRatios& ratios) {
  return QObject::tr("%1 of %2")
      .arg(countedText(ratios.devices, QObject::tr("measured peak"), QObject::tr("measured peaks")),
           countedText(ratios.runs, QObject::tr("run"), QObject::tr("runs")));
}

}  // namespace

PeakRange peakRangeOf(const plan::Experiment& experiment, const PlanPrediction& prediction,
                      const DeviceId& device, const workspace::PeakHistory& history) {
  const PredictedDevice* figures = prediction.device(device);
  if (figures == nullptr || figures->row < 0 || figures->peakBytes <= 0) return {};
  const workspace::PeakRatios& ratios = history.of(prediction.basis, kindOf(experiment, device));
  if (ratios.devices >= kFewestMeasuredPeaks) {
    return {times(figures->peakBytes, std::min(1.0, ratios.low)),
            times(figures->peakBytes, std::max(1.0, ratios.high)), ratios};
  }
  return {std::min(figures->peakBounds.low, figures->peakBytes),
          std::max(figures->peakBounds.high, figures->peakBytes),
          {}};
}

QString predictedPeakText(predict::Basis basis, Bytes peak) {
  const bool tooSmall = basis == predict::Basis::Estimate && peak > 0 && peak < kLeastEstimatedPeak;
  return tooSmall ? QObject::tr("below %1").arg(bytesText(kLeastEstimatedPeak)) : bytesText(peak);
}

QString predictedPeakText(predict::Basis basis, Bytes peak, Bytes budget,
                          const QString& separator) {
  const QString text = predictedPeakText(basis, peak);
  return text == bytesText(peak) ? bytesOfText(peak, budget, separator)
                                 : text + separator + bytesText(budget);
}

QString peakRangeText(const PeakRange& range) {
  return QObject::tr("%1 to %2").arg(bytesText(range.low), bytesText(range.high));
}

QString peakRangeMeaning(const PeakRange& range) {
  if (range.measured.devices > 0) {
    return QObject::tr("%1 of this model in the workspace were %2 to %3 times their prediction.")
        .arg(countsText(range.measured))
        .arg(numberText(range.measured.low, 2))
        .arg(numberText(range.measured.high, 2));
  }
  return QObject::tr(
      "Bounds of the plan: from the memory held between actions to twice the tensors that one "
      "action creates; operator workspaces may exceed them. Run the plan to narrow the bar with "
      "measured peaks.");
}

QString peakRangeSource(const PeakRange& range) {
  return range.measured.devices > 0 ? countsText(range.measured)
                                    : QObject::tr("bounds of the plan");
}

}  // namespace stagelane::ui
