#include "ui/models/sweep_view.h"

#include <algorithm>

#include "engine/plan/experiment.h"
#include "engine/plan/sweep_points.h"
#include "engine/predict/cost_table.h"
#include "ui/models/formatting.h"
#include "ui/models/prediction.h"
#include "ui/models/sweep_text.h"

namespace stagelane::ui {
namespace {

/// The members are called "NAME sweep …"; what follows tells them apart.
QString pointLabel(const std::string& task, const plan::Variant& variant) {
  const QString name = qstring(variant.name);
  const QString rest = name.section(QStringLiteral(" sweep"), 1).trimmed();
  QStringList parts{qstring(task), rest.isEmpty() && task.empty() ? name : rest};
  parts.removeAll(QString());
  return parts.join(QStringLiteral(" · "));
}

const record::VariantResult* resultOf(const workspace::TaskProgress& progress,
                                      const std::string& id) {
  if (!progress.result) {
    return nullptr;
  }
  const auto found =
      std::find_if(progress.result->variants.begin(), progress.result->variants.end(),
                   [&id](const record::VariantResult& one) { return one.id == id; });
  return found == progress.result->variants.end() ? nullptr : &*found;
}

double predictedOf(const plan::Experiment& experiment, const plan::Variant& variant,
                   const std::string& key, SweepPredictions& predictions) {
  const auto known = predictions.find(key);
  if (known != predictions.end()) {
    return known->second;
  }
  const auto step = predictStep(experiment, variant);
  const double seconds = step ? static_cast<double>(step->stepNs) * 1e-9 /
                                    static_cast<double>(experiment.data.batchSize)
                              : 0.0;
  return predictions[key] = seconds;
}

void addTask(const workspace::Sweep& sweep, const workspace::SweepTask& task,
             SweepPredictions& predictions, SweepView& view) {
  const auto document = readJsonFile((sweep.folder / task.experiment).string());
  if (!document) {
    view.problem = errorText(document.error());
    return;
  }
  const auto experiment = plan::readExperiment(*document, sweep.folder.string(), {});
  if (!experiment) {
    view.problem = errorText(experiment.error());
    return;
  }
  const workspace::TaskProgress progress = workspace::progressOf(task);
  const double samples = static_cast<double>(experiment->data.batchSize * experiment->data.batches);
  for (const plan::Variant& variant : experiment->variants) {
    if (!plan::isSweepPoint(variant)) {
      continue;
    }
    SweepPoint point;
    point.label = pointLabel(task.label, variant);
    point.predictedS =
        predictedOf(*experiment, variant, task.experiment + "/" + variant.id, predictions);
    if (const record::VariantResult* result = resultOf(progress, variant.id)) {
      point.reason = qstring(result->reason);
      point.meanS = result->meanS / samples;
      point.stdS = result->stdS / samples;
      point.repeats = static_cast<int>(result->seconds.size());
    }
    // What ended early asks for no more repeats.
    const bool early = point.reason.startsWith(QLatin1String("early_stop"));
    const int asked = early ? point.repeats : static_cast<int>(experiment->repeat);
    point.status = point.repeats == 0      ? QString()
                   : point.repeats < asked ? QStringLiteral("begun")
                                           : QStringLiteral("measured");
    view.repeatsAsked += asked;
    view.repeatsDone += point.repeats;
    view.points.push_back(std::move(point));
  }
  view.problem = task.problem.empty() ? view.problem : qstring(task.problem);
}

}  // namespace

SweepView viewOfSweep(const workspace::Sweep& sweep, SweepPredictions& predictions) {
  SweepView view;
  view.folder = qstring(sweep.folder.string());
  view.name = qstring(sweep.name);
  for (const workspace::SweepTask& task : sweep.tasks) {
    addTask(sweep, task, predictions, view);
  }
  view.state = !workspace::nextTask(sweep)                    ? SweepState::Done
               : sweep.wish == workspace::SweepWish::Paused   ? SweepState::Paused
               : sweep.wish == workspace::SweepWish::Canceled ? SweepState::Canceled
                                                              : SweepState::Interrupted;
  return view;
}

const SweepPoint* bestOf(const SweepView& view) {
  const SweepPoint* best = nullptr;
  for (const SweepPoint& point : view.points) {
    const bool further = best != nullptr && isMeasured(point) && !isMeasured(*best);
    const bool faster =
        best == nullptr || (isMeasured(point) == isMeasured(*best) && point.meanS < best->meanS);
    if (point.repeats > 0 && (further || faster)) {
      best = &point;
    }
  }
  return best;
}

QString sweepProgressText(const SweepView& view) {
  const auto measured = std::count_if(view.points.begin(), view.points.end(),
                                      [](const SweepPoint& point) { return isMeasured(point); });
  const auto begun = std::count_if(view.points.begin(), view.points.end(),
                                   [](const SweepPoint& point) { return point.repeats > 0; });
  QString text = QStringLiteral("%1 of %2 points measured").arg(measured).arg(view.points.size());
  if (begun > measured) text += QStringLiteral(", %1 begun").arg(begun - measured);
  return text + QStringLiteral(", %1 of %2 repeats").arg(view.repeatsDone).arg(view.repeatsAsked);
}

}  // namespace stagelane::ui
