/// The part of PlanModel that says what breaks the shown plan, and the fix offered.

#include <algorithm>

#include "ui/kit/text/formatting.h"
#include "ui/plan/failure_fixes.h"
#include "ui/plan/plan_model.h"

namespace stagelane::ui {

PlanQuestion PlanModel::question() const {
  PlanQuestion question;
  question.experiment = m_session->document().lastReadable().get();
  question.shape = &shownShape();
  question.prediction = shownPrediction().get();
  question.error = &m_session->predictionError();
  const VariantTab* tab = m_session->document().tab(m_session->currentTabId());
  question.variant = m_session->currentVariant();
  question.baseFolder = utf8(m_session->document().baseFolder());
  // A drag shows another plan than the one that was run.
  question.failure = m_preview ? std::nullopt : memoryFailureOf(*m_session);
  if (m_table) {
    for (const BlockFigures& block : m_table->blocks) {
      question.weights.push_back(static_cast<double>(block.timeNs()));
    }
  }
  question.mayTake = [this](const PlanSuggestion& suggestion) { return !refusalOf(suggestion); };
  if (tab != nullptr) {
    question.document = &m_session->document().json();
    question.index = tab->index;
  }
  return question;
}

void PlanModel::refreshProblems() {
  m_problems = ready() ? problemsOf(question()) : std::vector<PlanProblem>();
  Q_EMIT problemsChanged();
}

QString PlanModel::problemWord(const DeviceId& device) const {
  const auto found =
      std::find_if(m_problems.begin(), m_problems.end(),
                   [&](const PlanProblem& problem) { return problem.device == device; });
  return found == m_problems.end() ? QString() : found->brief;
}

QString PlanModel::problemText(const DeviceId& device) const {
  QStringList texts;
  for (const PlanProblem& problem : m_problems) {
    if (problem.device == device) {
      texts.append(problem.text);
    }
  }
  return texts.join(QChar(u'\n'));
}

std::optional<PlanFix> PlanModel::fix() const {
  if (m_preview) {
    return std::nullopt;
  }
  const PlanSuggestionsPtr known = m_suggestions.stale() ? nullptr : m_suggestions.found();
  for (const PlanProblem& problem : m_problems) {
    if (auto found = fixOf(problem, question(), known.get())) {
      found->problem = problem.text;
      return found;
    }
  }
  return std::nullopt;
}

void PlanModel::applyFix() {
  const auto offered = fix();
  if (!offered) {
    return;
  }
  if (offered->suggestion) {
    applySuggestion(*offered->suggestion);
  } else if (offered->shape) {
    applyShape(offered->text, *offered->shape);
  } else if (offered->document) {
    m_session->document().apply(offered->text, *offered->document);
  }
}

}  // namespace stagelane::ui
