#include "ui/session/run/run_words.h"

#include "engine/record/left_out.h"
#include "engine/record/run_record.h"
#include "ui/kit/text/formatting.h"
#include "ui/kit/text/short_name.h"
#include "ui/session/document/document.h"
#include "ui/session/run/current_sweep.h"
#include "ui/session/run/measured_results.h"
#include "ui/session/run/run_state.h"
#include "ui/session/run/sweep_view.h"
#include "ui/session/session.h"

namespace stagelane::ui {
namespace {

/// The variant's name on its tab or in the run.
QString nameOf(const Session& session, const QString& id) {
  const VariantTab* tab = session.document().tabOfVariant(id);
  if (tab != nullptr && !tab->sweep()) return shownName(tab->name);
  const record::VariantResult* result = session.results().of(id);
  return result != nullptr && !result->name.empty() ? shownName(result->name) : id;
}

/// Of the current run.
int variantsThatRun(const Session& session) {
  return session.results().result() ? record::includedVariants(*session.results().result()) : 1;
}

}  // namespace

QString turnText(const Session& session) {
  if (const SweepViewPtr sweep = session.sweep().view();
      sweep && sweep->state == SweepState::Running) {
    return QObject::tr("sweep, %1").arg(sweepProgressText(*sweep));
  }
  const RunProgress& progress = session.runState().progress();
  if (progress.variantId.isEmpty()) return {};
  const QString name = nameOf(session, progress.variantId);
  if (progress.checksGradients) return QObject::tr("checking the gradients of %1").arg(name);
  if (progress.of <= 0 || progress.repeat <= 0) return QObject::tr("%1, warm-up").arg(name);
  const QString repeat = QObject::tr("repeat %1 of %2").arg(progress.repeat).arg(progress.of);
  // Variants take turns too quickly for the current one to be read.
  const int variants = variantsThatRun(session);
  return variants > 1 ? QObject::tr("%1, %2 variants").arg(repeat).arg(variants)
                      : u"%1, %2"_s.arg(name, repeat);
}

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

QString failureText(FailureKind kind) {
  switch (kind) {
    case FailureKind::DeviceMissing: return QObject::tr("device missing");
    case FailureKind::OutOfMemory: return QObject::tr("out of memory");
    case FailureKind::DoesNotFit: return QObject::tr("does not fit");
    case FailureKind::Stalled: return QObject::tr("stalled");
    case FailureKind::Killed: return QObject::tr("killed");
    case FailureKind::GradientsDiffer: return QObject::tr("gradient check");
    case FailureKind::ReaderGone: return QObject::tr("window closed");
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
  if (variant.earlyStop) return reason;
  return reason.startsWith(status) ? reason : status + u": "_s + reason;
}

}  // namespace stagelane::ui
