#include "ui/plan/lanes/problem_bar.h"

#include "ui/kit/boxes.h"
#include "ui/kit/look.h"
#include "ui/kit/text/formatting.h"
#include "ui/kit/theme.h"
#include "ui/plan/plan_model/chip_locks.h"
#include "ui/plan/plan_model/drop_preview.h"
#include "ui/plan/plan_model/shown_problems.h"
#include "ui/session/document/document.h"
#include "ui/session/session.h"

namespace stagelane::ui {

ProblemBar::ProblemBar(PlanModel* plan, QWidget* parent)
    : QWidget(parent),
      m_plan(plan),
      m_text(new QLabel(this)),
      m_button(new QPushButton(this)),
      m_fix(new QAction(tr("Fix the plan"), this)) {
  setLook(this, u"problem"_s);
  setNames(m_text, u"planProblem"_s, tr("Plan problem"));
  setNames(m_button, u"fixPlan"_s, m_fix->text());
  setLook(m_text, u"error"_s);
  m_text->setWordWrap(true);
  m_fix->setObjectName(u"fixPlanAction"_s);
  rowLayout(this, {.margins = {measure::kPanelPadding, 3, measure::kPanelPadding, 3}},
            {{m_text, 1}, m_button});
  connect(m_button, &QPushButton::clicked, m_fix, &QAction::trigger);
  connect(m_fix, &QAction::triggered, &plan->shownProblems(), &ShownProblems::applyFix);
  connect(&plan->shownProblems(), &ShownProblems::changed, this, &ProblemBar::refresh);
  connect(&plan->suggestions(), &SuggestionRunner::changed, this, &ProblemBar::refresh);
  connect(&plan->session().document(), &ExperimentDocument::locksChanged, this,
          &ProblemBar::refresh);
  refresh();
}

void ProblemBar::refresh() {
  const auto& problems = m_plan->shownProblems().all();
  // During a drag the problem is shown at the cursor, so that the view does not jump.
  if (m_plan->dropPreview().active()) return;
  const auto fix = m_plan->shownProblems().fix();
  QString text = problems.empty() ? QString() : problems.front().text;
  if (fix && fix->problem != text) {
    text += QChar(u'\n') + fix->problem;  // the fix is for another problem
  }
  m_text->setText(text);
  m_button->setText(fix ? fix->text : QString());
  m_button->setVisible(fix.has_value());
  const auto refusal = fix ? m_plan->locks().refusalOf(*fix) : std::nullopt;
  m_button->setEnabled(!refusal);
  m_button->setToolTip(
      refusal.value_or(tr("Change the plan so that it can run (Ctrl+Z undoes it)")));
  m_fix->setEnabled(fix && !refusal);
  m_fix->setText(fix ? tr("Fix the plan: %1").arg(fix->text) : tr("Fix the plan"));
  setVisible(!problems.empty());
}

}  // namespace stagelane::ui
