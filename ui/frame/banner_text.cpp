#include "ui/frame/banner_text.h"

#include <algorithm>
#include <limits>

#include "engine/base/failure.h"
#include "engine/record/fastest.h"
#include "engine/record/left_out.h"
#include "engine/record/run_record.h"
#include "ui/frame/connection_text.h"
#include "ui/kit/text/formatting.h"
#include "ui/kit/text/sentence.h"
#include "ui/kit/text/short_name.h"
#include "ui/session/document/document.h"
#include "ui/session/document/file_change.h"
#include "ui/session/document/unsaved_work.h"
#include "ui/session/prediction/calibration.h"
#include "ui/session/run/current_sweep.h"
#include "ui/session/run/earlier_results.h"
#include "ui/session/run/loading.h"
#include "ui/session/run/loading_text.h"
#include "ui/session/run/measured_results.h"
#include "ui/session/run/run_choice.h"
#include "ui/session/run/run_state.h"
#include "ui/session/run/sweep_view.h"
#include "ui/session/session.h"

namespace stagelane::ui {
namespace {

constexpr qsizetype kMostNames = 4;

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

BannerText running(const Session& session) {
  const bool canceling = session.runState().phase() == RunPhase::Canceling;
  QString doing = turnText(session);
  if (doing.isEmpty()) doing = QObject::tr("Starting the engine");
  if (const auto left = session.runState().progress().secondsLeft) {
    doing += QObject::tr(", %1 left").arg(durationText(*left));
  }
  return {BannerKind::Running,
          canceling ? QObject::tr("Canceling the run") : QObject::tr("Running"),
          doing + QObject::tr(". Edits apply to the next run."),
          {}};
}

/// A killed engine, a closed program, or a full disk says nothing about the plan.
bool mayBePlansFault(const record::RunResult& run) {
  if (!run.failure) return true;
  switch (run.failure->kind) {
    case FailureKind::Killed:
    case FailureKind::RankLost:
    case FailureKind::ReaderGone:
    case FailureKind::CannotWrite:
    case FailureKind::Workspace: return false;
    default: return true;
  }
}

BannerText failed(const record::RunResult& run, const QString& kept) {
  const QString host = run.failure ? qstring(run.failure->host) : QString();
  QString reason = qstring(run.reason).trimmed();
  // Names of hosts look like words.
  if (host.isEmpty() || !reason.startsWith(host)) reason = asSentence(reason);
  BannerText text{BannerKind::Error, QObject::tr("The run failed"), {}, {}};
  text.detail = reason.isEmpty() ? QObject::tr("See the log for the reason.") : reason;
  text.detail += QChar(u'\n') + kept;
  text.acts = {BannerAct::OpenLog};
  if (mayBePlansFault(run)) text.acts.push_back(BannerAct::FixPlan);
  return text;
}

std::optional<BannerText> ended(const Session& session) {
  const RunResultPtr run = session.results().result();
  if (!run || session.runState().endDismissed() || !record::isResumable(*run)) return std::nullopt;
  const QString kept = keptText(*run, record::repeatsAsked(session.results().document().get()));
  BannerText text =
      run->status == record::RunStatus::Failed
          ? failed(*run, kept)
          : BannerText{BannerKind::Warning, QObject::tr("The run was canceled"), kept, {}};
  if (!run->variants.empty()) text.acts.push_back(BannerAct::Resume);
  text.acts.push_back(BannerAct::RunAgain);
  text.acts.push_back(BannerAct::DismissRunEnd);
  return text;
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

QString keptText(const record::RunResult& run, int asked) {
  QStringList names;
  std::size_t least = std::numeric_limits<std::size_t>::max();
  std::size_t most = 0;
  const auto repeatsText = [asked](const QString& count, std::size_t number) {
    return asked > 0     ? QObject::tr("%1 of %2 repeats").arg(count).arg(asked)
           : number == 1 ? QObject::tr("%1 repeat").arg(count)
                         : QObject::tr("%1 repeats").arg(count);
  };
  for (const record::VariantResult& variant : run.variants) {
    const std::size_t count = variant.seconds.size();
    if (count > 0) {
      names.append(
          u"%1 (%2)"_s.arg(shownName(variant.name), repeatsText(QString::number(count), count)));
      least = std::min(least, count);
      most = std::max(most, count);
    }
  }
  if (names.isEmpty()) return QObject::tr("Nothing was measured.");
  if (names.size() <= kMostNames) return QObject::tr("Kept: %1.").arg(names.join(u", "_s));
  const QString counts =
      least == most ? QString::number(most) : QObject::tr("%1 to %2").arg(least).arg(most);
  return QObject::tr("Kept: %1 of each of %2 variants.")
      .arg(repeatsText(counts, most))
      .arg(names.size());
}

/// Variants that had not ended count as failed; the failure names the one in progress.
QString failedVariant(const record::RunResult& run) {
  const record::VariantResult* first = nullptr;
  for (const record::VariantResult& variant : run.variants) {
    if (variant.status != record::RunStatus::Failed) continue;
    if (run.failure && run.failure->variant == variant.id) return qstring(variant.id);
    first = first == nullptr ? &variant : first;
  }
  return first == nullptr ? QString() : qstring(first->id);
}

std::optional<BannerText> bannerOfRun(const Session& session) {
  if (session.runState().phase() != RunPhase::Idle) {
    const auto connection = bannerOfConnection(session);
    return connection ? *connection : running(session);
  }
  if (!session.runState().problem().isEmpty()) {
    return BannerText{BannerKind::Error,
                      QObject::tr("The run could not start"),
                      session.runState().problem(),
                      {BannerAct::RunAgain, BannerAct::DismissRunProblem}};
  }
  if (auto text = ended(session)) return text;
  if (!session.runState().engineProblem().isEmpty() && hostToRun(session.document()).isEmpty()) {
    return BannerText{BannerKind::Warning,
                      QObject::tr("Run disabled: engine not found"),
                      asSentence(session.runState().engineProblem()),
                      {}};
  }
  return std::nullopt;
}

std::optional<BannerText> bannerOfOpening(const Session& session) {
  if (!session.loading().run()) return std::nullopt;
  return BannerText{BannerKind::Hint,
                    loadingText(*session.loading().run(), 0.0),
                    QObject::tr("The experiment is open; its results are loading."),
                    {BannerAct::StopOpening}};
}

std::optional<BannerText> bannerOfUnsaved(const Session& session) {
  const auto& work = session.unsaved().work();
  if (!work || session.runState().phase() != RunPhase::Idle) {
    return std::nullopt;  // measurements need an otherwise idle machine
  }
  return BannerText{
      BannerKind::Warning,
      QObject::tr("%1 has unsaved changes.").arg(work->name),
      QObject::tr("Stagelane quit unexpectedly. Unsaved changes from %1.").arg(work->when),
      {BannerAct::RestoreUnsaved, BannerAct::DiscardUnsaved}};
}

std::optional<BannerText> bannerOfFile(const Session& session) {
  if (!session.fileChange().found() || session.runState().phase() != RunPhase::Idle) {
    return std::nullopt;  // as above
  }
  const ExperimentDocument& document = session.document();
  return BannerText{
      BannerKind::Warning,
      QObject::tr("%1 was changed by another program.").arg(document.path()),
      document.modified()
          ? QObject::tr("You have unsaved changes. After loading, Undo restores them.")
          : QObject::tr("The window still shows the previous version."),
      {BannerAct::LoadFile, BannerAct::KeepMine}};
}

std::optional<BannerText> bannerOfPlan(const Session& session) {
  const ExperimentDocument& document = session.document();
  if (document.tabs().empty()) {
    return BannerText{BannerKind::Hint,
                      QObject::tr("Nothing to plan yet: the experiment has no variants."),
                      {},
                      {BannerAct::AddVariant}};
  }
  if (document.error() && !document.experiment()) {
    BannerText text{BannerKind::Error,
                    QObject::tr("The experiment cannot be read"),
                    errorText(*document.error()),
                    {}};
    if (document.undoStack().canUndo()) text.acts.push_back(BannerAct::UndoEdit);
    return text;
  }
  if (session.runState().phase() != RunPhase::Idle) {
    return std::nullopt;  // as above
  }
  if (const QString problem = session.calibration().problem(); !problem.isEmpty()) {
    return BannerText{BannerKind::Error,
                      QObject::tr("The calibration failed"),
                      problem,
                      {BannerAct::CalibrateAgain, BannerAct::DismissCalibration}};
  }
  return std::nullopt;
}

}  // namespace stagelane::ui
