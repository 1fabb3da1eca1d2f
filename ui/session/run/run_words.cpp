#include "ui/session/run/run_words.h"

#include <QObject>
#include <QStringList>

#include "engine/plan/strategies.h"
#include "engine/record/run_record.h"
#include "ui/kit/text/formatting.h"

namespace stagelane::ui {

QString repeatsDoneText(const record::VariantResult& variant, int asked) {
  const auto count = static_cast<int>(variant.seconds.size());
  return count < asked ? QObject::tr("%1 of %2").arg(count).arg(asked) : QString::number(count);
}

QString statusText(record::RunStatus status) {
  switch (status) {
    case record::RunStatus::Running: return QObject::tr("running");
    case record::RunStatus::Done: return QObject::tr("done");
    case record::RunStatus::Failed: return QObject::tr("failed");
    case record::RunStatus::Canceled: return QObject::tr("canceled");
    case record::RunStatus::NotRun: break;
  }
  return QObject::tr("not run");
}

QString reasonText(const record::VariantResult& variant) {
  if (!variant.earlyStop) return qstring(variant.reason);
  const record::EarlyStop& stop = *variant.earlyStop;
  if (stop.best.empty()) return QObject::tr("left out early");
  const QString best = secondsText(stop.bestSeconds);
  return stop.repeats > 0 ? QObject::tr("left out early: %1 in %2 repeats; %4 takes %3")
                                .arg(secondsText(stop.seconds), QString::number(stop.repeats), best,
                                     qstring(stop.best))
                          : QObject::tr("left out early: predicted %1 per step; %3 takes %2")
                                .arg(secondsText(stop.seconds), best, qstring(stop.best));
}

QString strategyText(const record::VariantResult& variant) {
  const plan::StrategyRow& row = plan::strategyRow(variant.strategy);
  QString text = row.title.empty() ? qstring(variant.strategy) : QObject::tr(row.title.data());
  if (variant.hogwild) {
    text += u", "_s + countedText(variant.hogwild->processes, QObject::tr("process"),
                                  QObject::tr("processes"));
  } else if (variant.replicas > 1) {
    text +=
        u", "_s + countedText(variant.replicas, QObject::tr("replica"), QObject::tr("replicas"));
  }
  return text;
}

QString failureText(FailureKind kind) {
  switch (kind) {
    case FailureKind::DeviceMissing: return QObject::tr("device missing");
    case FailureKind::OutOfMemory: return QObject::tr("out of memory");
    case FailureKind::DoesNotFit: return QObject::tr("does not fit");
    case FailureKind::Stalled: return QObject::tr("stalled");
    case FailureKind::Killed: return QObject::tr("killed");
    case FailureKind::RankLost: return QObject::tr("rank lost");
    case FailureKind::GradientsDiffer: return QObject::tr("gradient check");
    case FailureKind::ReaderGone: return QObject::tr("program closed");
    case FailureKind::CannotWrite:
    case FailureKind::Workspace: return QObject::tr("cannot write");
    case FailureKind::Unknown:
    case FailureKind::Usage:
    case FailureKind::Invalid:
    case FailureKind::EngineFailure: return {};
  }
  return {};
}

QString placeText(const Failure& failure) {
  QStringList parts{qstring(failure.variant), qstring(failure.device.value)};
  if (failure.stage.valid()) parts << QObject::tr("stage %1").arg(failure.stage.value);
  if (failure.microBatch.valid()) {
    parts << QObject::tr("micro-batch %1").arg(failure.microBatch.value);
  }
  if (failure.action) parts << qstring(word(*failure.action));
  parts.removeAll(QString());
  return parts.join(u", "_s);
}

QString endText(const record::VariantResult& variant) {
  const QString status = statusText(variant.status);
  const QString reason = reasonText(variant).trimmed();
  if (reason.isEmpty()) return status;
  // These reasons say how it ended.
  const bool said = variant.earlyStop || variant.status == record::RunStatus::Canceled;
  return said ? reason : status + u": "_s + reason;
}

QString checkText(const record::GradientCheckResult& check) {
  const QString text =
      check.bitEqual ? QObject::tr("bit-equal") : preciseText(check.maxRelError, 2);
  if (!check.ownPrecisionError) return text;
  return QObject::tr("%1 (own precision: %2)").arg(text, preciseText(*check.ownPrecisionError, 2));
}

QString checkDetails(const record::GradientCheckResult& check) {
  QString text = QObject::tr("Compared with %1").arg(qstring(check.reference));
  if (check.ownPrecisionError) {
    text += QChar(u'\n') + QObject::tr("Relative error in the experiment's own precision: %1")
                               .arg(preciseText(*check.ownPrecisionError, 2));
  }
  return text;
}

}  // namespace stagelane::ui
