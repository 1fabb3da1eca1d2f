#include "ui/session/run/sweep_text.h"

#include "ui/kit/text/formatting.h"
#include "ui/session/run/run_table_model.h"

namespace stagelane::ui {

bool isMeasured(const SweepPoint& point) { return point.status == u"measured"_s; }

QString sweepBestText(const SweepView& view) {
  const SweepPoint* best = bestOf(view);
  if (best == nullptr) return {};
  return u"%1: %2, %3"_s.arg(
      view.over() ? QObject::tr("best") : QObject::tr("best so far"), best->label,
      best->repeats > 1 ? QObject::tr("%1 per sample").arg(spreadText(best->meanS, best->stdS))
                        : QObject::tr("%1 per sample, one repeat").arg(secondsText(best->meanS)));
}

QString sweepStateText(SweepState state) {
  switch (state) {
    case SweepState::Running: return QObject::tr("running");
    case SweepState::Paused: return QObject::tr("paused");
    case SweepState::Interrupted: return QObject::tr("interrupted");
    case SweepState::Canceled: return QObject::tr("canceled");
    case SweepState::Done: return QObject::tr("done");
    case SweepState::Failed: return QObject::tr("failed");
  }
  return {};
}

QString sweepPointText(const SweepPoint& point) {
  QString text = point.label;
  if (point.predictedS > 0.0) {
    text += QObject::tr(": predicted %1%2 per sample")
                .arg(point.estimated ? u"≈ "_s : QString(), secondsText(point.predictedS));
  }
  if (point.repeats > 0) {
    text +=
        QObject::tr(", %1 %2, n = %3")
            .arg(isMeasured(point) ? QObject::tr("measured") : QObject::tr("so far"),
                 point.repeats > 1 ? spreadText(point.meanS, point.stdS) : secondsText(point.meanS))
            .arg(point.repeats);
  }
  return point.reasonWords.isEmpty() ? text : text + QChar(u'\n') + point.reasonWords;
}

}  // namespace stagelane::ui
