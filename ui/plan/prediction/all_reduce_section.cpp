#include "ui/plan/prediction/all_reduce_section.h"

#include "engine/record/run_record.h"
#include "ui/kit/boxes.h"
#include "ui/kit/look.h"
#include "ui/kit/text/formatting.h"
#include "ui/kit/theme.h"
#include "ui/plan/plan_model/plan_figures.h"
#include "ui/session/document/variant_selection.h"
#include "ui/session/prediction/all_reduce_figures.h"
#include "ui/session/prediction/cost_facts.h"
#include "ui/session/run/measured_results.h"
#include "ui/session/session.h"

namespace stagelane::ui {
namespace {

double shareOf(TimeNs part, TimeNs whole) {
  return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0.0;
}

}  // namespace

AllReduceSection::AllReduceSection(const PlanModel* plan, QWidget* parent)
    : QWidget(parent), m_plan(plan) {
  auto* title = new QLabel(tr("All-reduce"), this);
  title->setFont(fontOf(TextSize::Body, TextWeight::Bold));
  setLook(title, u"muted"_s);
  auto* lines = columnLayout(this, {.margins = {0, 10, 0, 0}, .spacing = 3}, {title});
  m_bytes = addLine(*lines, tr("Gradients"), u"allReduceBytes"_s,
                    tr("Bytes of the gradients that each replica adds to those of the others"));
  m_hidden = addLine(*lines, tr("Hidden"), u"allReduceHidden"_s,
                     tr("Time of the all-reduces that a computation hides"));
  m_exposed = addLine(*lines, tr("Exposed"), u"allReduceExposed"_s,
                      tr("Time during which the device only waits for the all-reduces"));
  m_measured = mutedLabel({}, this);
  m_measured->setWordWrap(true);
  m_measured->setAlignment(Qt::AlignRight);
  setNames(m_measured, u"allReduceMeasured"_s, tr("Measured all-reduces"));
  lines->addWidget(m_measured);
  setNames(this, u"allReduceSection"_s, tr("All-reduce"));
}

QLabel* AllReduceSection::addLine(QVBoxLayout& lines, const QString& title, const QString& name,
                                  const QString& tip) {
  auto* text = new QLabel(title, this);
  auto* value = new QLabel(this);
  setNames(value, name, tr("All-reduce, %1").arg(title.toLower()));
  value->setToolTip(tip);
  text->setToolTip(tip);
  lines.addLayout(rowLayout({.margins = {0, 0, 0, 0}}, {{text, 1}, value}));
  return value;
}

void AllReduceSection::refresh(const PlanPrediction* shown, const PlanPrediction* now,
                               bool dimmed) {
  const auto figures = shown != nullptr ? allReduceOf(*shown) : std::nullopt;
  setVisible(figures.has_value());
  if (!figures) return;
  const QString about = approximately(shown->basis);
  m_bytes->setText(tr("%1 a replica").arg(bytesText(figures->bytes)));
  const QString all = timeText(figures->allNs);
  m_hidden->setText(figures->hiddenNs() == 0
                        ? tr("nothing of %1").arg(about + all)
                        : tr("%1 of %2").arg(about + timeText(figures->hiddenNs()), all));
  QString exposed = tr("%1, %2 of the step")
                        .arg(about + timeText(figures->exposedNs),
                             percentText(shareOf(figures->exposedNs, shown->stepNs), 1));
  const auto before = now != nullptr ? allReduceOf(*now) : std::nullopt;
  if (before) exposed += tr("   was %1").arg(timeText(before->exposedNs));
  m_exposed->setText(exposed);
  for (QLabel* value : {m_bytes, m_hidden, m_exposed}) value->setEnabled(!dimmed);
  m_measured->setText(measuredText());
  m_measured->setVisible(!m_measured->text().isEmpty());
}

/// Only processes that reduce by buckets are measured.
QString AllReduceSection::measuredText() const {
  const Session& session = m_plan->session();
  const record::VariantResult* result = session.results().of(session.selection().variantId());
  const auto& measured = m_plan->figures().measured();
  if (result == nullptr || !result->allReduce || !measured) return {};
  return tr("%1: %2 exposed, %3 hidden")
      .arg(measured->when(), timeText(result->allReduce->exposedNs),
           percentText(result->allReduce->hiddenPct / 100.0));
}

}  // namespace stagelane::ui
