#include "ui/session/run/sweep_view.h"

#include <QObject>
#include <algorithm>

#include "engine/base/find.h"
#include "engine/plan/experiment.h"
#include "engine/plan/sweep_points.h"
#include "engine/search/resolve.h"
#include "ui/kit/text/formatting.h"
#include "ui/session/prediction/prediction.h"
#include "ui/session/run/run_words.h"
#include "ui/session/run/sweep_text.h"

namespace stagelane::ui {
namespace {

/// Members are named "NAME sweep …"; the rest tells them apart.
QString pointLabel(const std::string& task, const plan::Variant& variant) {
  const QString name = qstring(variant.name);
  const QString rest = name.section(u" sweep"_s, 1).trimmed();
  QStringList parts{qstring(task), rest.isEmpty() && task.empty() ? name : rest};
  parts.removeAll(QString());
  return parts.join(u" · "_s);
}

const record::VariantResult* resultOf(const workspace::TaskProgress& progress,
                                      const std::string& id) {
  if (!progress.result) return nullptr;
  return findBy(progress.result->variants, &record::VariantResult::id, id);
}

SweepPredictions::Point predictedOf(const plan::Experiment& experiment,
                                    const plan::Variant& variant,
                                    const SweepPredictions& predictions, const GoesOn& goesOn) {
  const auto step = predictStep(experiment, variant, orEstimated(predictions.costs.get(), goesOn));
  if (!step) return {0.0, true};
  const auto samples = static_cast<double>(experiment.data.batchSize);
  return {static_cast<double>(step->stepNs) * 1e-9 / samples,
          step->basis == predict::Basis::Estimate};
}

/// The prediction stored by its run, if there is one.
SweepPredictions::Point predictedOf(const record::VariantResult* result,
                                    const plan::Experiment& experiment,
                                    const SweepPredictions::Point& before) {
  if (result == nullptr || !result->predicted) return before;
  const auto samples = static_cast<double>(experiment.data.batchSize);
  return {static_cast<double>(result->predicted->stepNs) * 1e-9 / samples,
          result->predicted->basis == predict::word(predict::Basis::Estimate)};
}

using ExperimentPtr = std::shared_ptr<const plan::Experiment>;

/// Read once: the files of a sweep do not change.
Result<ExperimentPtr> experimentOf(const workspace::Sweep& sweep, const std::string& file,
                                   SweepPredictions& predictions, const GoesOn& goesOn) {
  const auto known = predictions.experiments.find(file);
  if (known != predictions.experiments.end()) return known->second;
  STAGELANE_TRY(document, readJsonFile((sweep.folder / file).string()));
  STAGELANE_TRY(read, plan::readExperiment(*document, sweep.folder.string(), predictions.machine));
  STAGELANE_TRY(resolved, search::resolve(std::move(*read), predictions.costs.get(), goesOn));
  auto experiment = std::make_shared<const plan::Experiment>(std::move(*resolved));
  if (isWanted(goesOn)) predictions.experiments[file] = experiment;
  return experiment;
}

/// The measurements of a point. `over`: its task gets no more repeats.
SweepPoint pointOf(const plan::Experiment& experiment, const record::VariantResult* result,
                   bool over) {
  SweepPoint point;
  const auto samples = static_cast<double>(experiment.data.batchSize * experiment.data.batches);
  if (result != nullptr) {
    point.reason = qstring(result->reason);
    point.reasonWords = reasonText(*result);
    point.meanS = result->meanS / samples;
    point.stdS = result->stdS / samples;
    point.repeats = static_cast<int>(result->seconds.size());
  }
  // A point that ended early needs no more repeats.
  const bool early = result != nullptr && result->earlyStop.has_value();
  const bool whole = early || point.repeats >= static_cast<int>(experiment.repeat);
  point.repeatsAsked = early || over ? point.repeats : static_cast<int>(experiment.repeat);
  point.status = point.repeats == 0 ? QString() : whole ? u"measured"_s : u"begun"_s;
  return point;
}

void addTask(const workspace::Sweep& sweep, const workspace::SweepTask& task,
             SweepPredictions& predictions, const GoesOn& goesOn, SweepView& view) {
  const auto read = experimentOf(sweep, task.experiment, predictions, goesOn);
  const QString which = task.label.empty() ? QString() : qstring(task.label) + u": "_s;
  if (!read) {
    ++view.unknownRuns;
    view.problem = which + errorText(read.error());
    return;
  }
  const plan::Experiment& experiment = **read;
  const workspace::TaskProgress progress = workspace::progressOf(task);
  const bool over = progress.state == workspace::TaskState::Done ||
                    progress.state == workspace::TaskState::Failed;
  for (const plan::Variant& variant : experiment.variants) {
    if (!plan::isSweepPoint(variant)) continue;
    const record::VariantResult* result = resultOf(progress, variant.id);
    SweepPoint point = pointOf(experiment, result, over);
    point.label = pointLabel(task.label, variant);
    point.run = qstring(task.run);
    point.variantId = qstring(variant.id);
    const std::string key = task.experiment + "/" + variant.id;
    const auto known = predictions.points.find(key);
    const auto predicted = predictedOf(result, experiment,
                                       known != predictions.points.end()
                                           ? known->second
                                           : predictedOf(experiment, variant, predictions, goesOn));
    if (!isWanted(goesOn)) return;
    predictions.points[key] = predicted;
    point.predictedS = predicted.seconds;
    point.estimated = predicted.estimated;
    view.repeatsAsked += point.repeatsAsked;
    view.repeatsDone += point.repeats;
    view.points.push_back(std::move(point));
  }
  view.problem = task.problem.empty() ? view.problem : which + qstring(task.problem);
}

}  // namespace

SweepView viewOfSweep(const workspace::Sweep& sweep, SweepPredictions& predictions,
                      const GoesOn& goesOn) {
  SweepView view;
  view.folder = qstring(sweep.folder.string());
  view.name = qstring(sweep.name);
  for (const workspace::SweepTask& task : sweep.tasks) {
    addTask(sweep, task, predictions, goesOn, view);
  }
  view.state = workspace::stateOf(sweep);
  return view;
}

const SweepPoint* bestOf(const SweepView& view) {
  const SweepPoint* best = nullptr;
  for (const SweepPoint& point : view.points) {
    const bool further = best != nullptr && isMeasured(point) && !isMeasured(*best);
    const bool faster =
        best == nullptr || (isMeasured(point) == isMeasured(*best) && point.meanS < best->meanS);
    if (point.repeats > 0 && (further || faster)) best = &point;
  }
  return best;
}

QString sweepProgressText(const SweepView& view) {
  const auto measured = std::count_if(view.points.begin(), view.points.end(),
                                      [](const SweepPoint& point) { return isMeasured(point); });
  const auto begun = std::count_if(view.points.begin(), view.points.end(),
                                   [](const SweepPoint& point) { return point.repeats > 0; });
  QString text = QObject::tr("%1 of %2 points measured").arg(measured).arg(view.points.size());
  if (begun > measured) text += QObject::tr(", %1 started").arg(begun - measured);
  text += QObject::tr(", %1 of %2 repeats").arg(view.repeatsDone).arg(view.repeatsAsked);
  const QString runs = countedText(view.unknownRuns, QObject::tr("run"), QObject::tr("runs"));
  return view.unknownRuns == 0 ? text : text + QObject::tr(", points of %1 unknown").arg(runs);
}

}  // namespace stagelane::ui
