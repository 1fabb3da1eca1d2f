#include "ui/plan/plan_model/shown_problems.h"

#include "engine/base/find.h"
#include "ui/kit/text/formatting.h"
#include "ui/plan/plan_model/chip_locks.h"
#include "ui/plan/plan_model/drop_preview.h"
#include "ui/plan/plan_model/failure_fixes.h"
#include "ui/plan/plan_model/plan_model.h"
#include "ui/plan/plan_model/plan_moves.h"
#include "ui/session/document/document.h"
#include "ui/session/document/variant_selection.h"
#include "ui/session/prediction/predictor.h"
#include "ui/session/run/measured_results.h"
#include "ui/session/run/run_state.h"
#include "ui/session/session.h"

namespace stagelane::ui {

ShownProblems::ShownProblems(PlanModel* plan, QObject* parent) : QObject(parent), m_plan(plan) {
  connect(&plan->dropPreview(), &DropPreview::changed, this, &ShownProblems::refresh);
  // Results of a run in progress cause no problems.
  connect(&plan->session().results(), &MeasuredResults::changed, this, [this] {
    if (m_plan->session().runState().phase() == RunPhase::Idle) refresh();
  });
}

PlanQuestion ShownProblems::question() const {
  PlanQuestion question;
  question.experiment = m_plan->session().document().lastReadable().get();
  question.shape = &m_plan->dropPreview().shownShape();
  question.prediction = m_plan->dropPreview().shownPrediction().get();
  question.error = &m_plan->session().predictor().error();
  const VariantTab* tab = m_plan->session().document().tab(m_plan->session().selection().tabId());
  question.variant = m_plan->session().selection().variant();
  question.baseFolder = utf8(m_plan->session().document().baseFolder());
  // A drag shows a plan that was not run.
  question.failure =
      m_plan->dropPreview().active() ? std::nullopt : memoryFailureOf(m_plan->session());
  if (m_plan->table()) {
    for (const BlockFigures& block : m_plan->table()->blocks) {
      question.weights.push_back(static_cast<double>(block.timeNs()));
    }
  }
  question.mayTake = [this](const PlanSuggestion& suggestion) {
    return !m_plan->locks().refusalOf(suggestion);
  };
  if (tab != nullptr) {
    question.document = &m_plan->session().document().json();
    question.index = tab->index;
  }
  return question;
}

void ShownProblems::refresh() {
  m_problems = m_plan->ready() ? problemsOf(question()) : std::vector<PlanProblem>();
  Q_EMIT changed();
}

QString ShownProblems::word(const DeviceId& device) const {
  const auto* found = findBy(m_problems, &PlanProblem::device, device);
  return found == nullptr ? QString() : found->brief;
}

QString ShownProblems::text(const DeviceId& device) const {
  QStringList texts;
  for (const PlanProblem& problem : m_problems) {
    if (problem.device == device) texts.append(problem.text);
  }
  return texts.join(QChar(u'\n'));
}

std::optional<PlanFix> ShownProblems::fix() const {
  if (m_plan->dropPreview().active()) return std::nullopt;
  const PlanSuggestionsPtr known =
      m_plan->suggestions().stale() ? nullptr : m_plan->suggestions().found();
  for (const PlanProblem& problem : m_problems) {
    if (auto found = fixOf(problem, question(), known.get())) {
      found->problem = problem.text;
      return found;
    }
  }
  return std::nullopt;
}

void ShownProblems::applyFix() {
  const auto offered = fix();
  if (!offered) return;
  if (offered->suggestion) {
    m_plan->moves().applySuggestion(*offered->suggestion);
  } else if (offered->shape) {
    m_plan->moves().applyShape(offered->text, *offered->shape);
  } else if (offered->document) {
    m_plan->session().document().apply(offered->text, *offered->document);
  }
}

}  // namespace stagelane::ui
