#include "ui/plan/plan_export.h"

#include <QDir>
#include <cmath>
#include <memory>

#include "engine/plan/experiment.h"
#include "profiler/analysis/idle.h"
#include "ui/kit/text/formatting.h"
#include "ui/kit/theme.h"
#include "ui/plan/plan_model/cut_costs.h"
#include "ui/plots/plan_curve.h"
#include "ui/session/document/variant_selection.h"
#include "ui/session/page_requests.h"
#include "ui/session/prediction/cut_curve.h"
#include "ui/session/prediction/prediction.h"
#include "ui/session/prediction/predictor.h"
#include "ui/session/session.h"
#include "ui/tracks/timeline_export.h"

namespace stagelane::ui {
namespace {

QString schedulePart(const plan::Variant& variant) {
  return variant.schedule.empty() ? QString() : qstring(variant.schedule) + u" · "_s;
}

Exportable exportable(PlanCurve curve, const QString& fileStem) {
  const auto shared = std::make_shared<const PlanCurve>(std::move(curve));
  Exportable what;
  what.title = shared->title;
  what.fileStem = fileStem;
  what.layOut = [shared](QSizeF size, PaintMode, const Theme& theme) {
    return [shared, size, look = &theme](QPainter& painter) {
      paintPlanCurve(painter, *shared, size, *look);
    };
  };
  what.csv = [shared] { return planCurveCsv(*shared); };
  return what;
}

}  // namespace

PlanExport::PlanExport(PlanModel* plan, QWidget* page)
    : QObject(page),
      m_plan(plan),
      m_page(page),
      m_timeline(add(tr("Export the predicted timeline…"), u"exportPredicted"_s,
                     tr("Export the predicted step as PNG, SVG or PDF, its events as CSV"),
                     &PlanExport::timelineToExport)),
      m_cuts(add(tr("Export \"Step time by cut\"…"), u"exportCuts"_s,
                 tr("Export the predicted step time for every cut, as PNG, SVG, PDF or CSV"),
                 &PlanExport::cutsToExport)),
      m_splits(
          add(tr("Export \"Step time by split size\"…"), u"exportSplits"_s,
              tr("Export the predicted step time for every split size, as PNG, SVG, PDF or CSV"),
              &PlanExport::splitsToExport)) {
  m_timeline->setIconText(tr("Export…"));  // of the button
  connect(plan, &PlanModel::predictionChanged, this, &PlanExport::offer);
  connect(&plan->cuts(), &CutCosts::changed, this, &PlanExport::offer);
  connect(&plan->suggestions(), &SuggestionRunner::changed, this, &PlanExport::offer);
  offer();
}

QAction* PlanExport::add(const QString& text, const QString& name, const QString& tip,
                         Exportable (PlanExport::*what)() const) {
  auto* action = new QAction(text, this);
  action->setObjectName(name);
  action->setToolTip(tip);
  connect(action, &QAction::triggered, this, [this, what] {
    ExportDialog dialog((this->*what)(), QDir::homePath(), m_page);
    if (dialog.exec() == QDialog::Accepted) {
      m_plan->session().pages().showHint(tr("Wrote %1").arg(dialog.writtenPath()));
    }
  });
  return action;
}

void PlanExport::offer() {
  const PlanPredictionPtr prediction = m_plan->session().predictor().prediction();
  const PlanSuggestionsPtr found = m_plan->suggestions().found();
  m_timeline->setEnabled(prediction != nullptr && prediction->trace != nullptr);
  m_cuts->setEnabled(prediction != nullptr && m_plan->ready() && m_plan->cuts().curve().size() > 1);
  m_splits->setEnabled(found != nullptr && found->splits.size() > 1);
}

Exportable PlanExport::timelineToExport() const {
  const PlanPredictionPtr prediction = m_plan->session().predictor().prediction();
  const bool named = !analysis::stepsOf(*prediction->trace).empty();
  const auto timeline = std::make_shared<const TimelineData>(
      prediction->trace, named ? 0 : TimelineData::kWholeTrace, nullptr);
  Exportable what = exportableTimeline(timeline, {TimeAxis(timeline->rangeNs())});
  const QString name = m_plan->session().selection().variantId();
  what.title = tr("Predicted timeline of %1").arg(name);
  what.fileStem = u"predicted-"_s + name;
  return what;
}

Exportable PlanExport::cutsToExport() const {
  const Session& session = m_plan->session();
  const plan::Variant& variant = *session.selection().variant();
  PlanCurve curve;
  curve.title = tr("Step time by cut: %1").arg(qstring(variant.name));
  curve.basis = session.predictor().prediction()->basis;
  curve.subtitle = schedulePart(variant) + qstring(predict::word(curve.basis));
  curve.xTitle = tr("cut before block");
  curve.column = u"cut_before"_s;
  for (const CutPoint& point : m_plan->cuts().curve()) {
    curve.points.push_back({m_plan->table()->blocks[point.block].name,
                            static_cast<double>(point.block), point.stepNs, point.overBudget});
  }
  curve.own = cutOf(m_plan->cuts().curve(), m_plan->shape());
  curve.best = bestCut(m_plan->cuts().curve());
  return exportable(std::move(curve), u"cuts-"_s + session.selection().variantId());
}

Exportable PlanExport::splitsToExport() const {
  const Session& session = m_plan->session();
  const plan::Variant& variant = *session.selection().variant();
  const PlanSuggestionsPtr found = m_plan->suggestions().found();
  PlanCurve curve;
  curve.title = tr("Step time by split size: %1").arg(qstring(variant.name));
  curve.basis = found->basis;
  curve.subtitle = schedulePart(variant) + qstring(predict::word(curve.basis));
  curve.xTitle = tr("split size (samples in a micro-batch, log scale)");
  curve.column = u"split_size"_s;
  for (const SplitPoint& point : found->splits) {
    if (point.splitSize == found->ownSplit) curve.own = curve.points.size();
    curve.points.push_back({QString::number(point.splitSize),
                            std::log2(static_cast<double>(point.splitSize)), point.stepNs,
                            point.overBudget});
  }
  curve.best = found->bestSplit();
  return exportable(std::move(curve), u"splits-"_s + session.selection().variantId());
}

}  // namespace stagelane::ui
