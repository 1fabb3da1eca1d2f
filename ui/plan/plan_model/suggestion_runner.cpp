#include "ui/plan/plan_model/suggestion_runner.h"

#include <utility>

#include "ui/kit/background.h"

namespace stagelane::ui {
namespace {

constexpr int kDelayMs = 150;  ///< consecutive edits make one request

}  // namespace

SuggestionRunner::SuggestionRunner(QObject* parent) : QObject(parent) {
  m_delay.setSingleShot(true);
  m_delay.setInterval(kDelayMs);
  connect(&m_delay, &QTimer::timeout, this, &SuggestionRunner::run);
}

bool SuggestionRunner::answers(const Question& question) const {
  return m_found && !m_stale && m_question && m_question->experiment == question.experiment &&
         m_question->variant.id == question.variant.id && m_question->costs == question.costs;
}

void SuggestionRunner::start(Question question) {
  const bool paused = std::exchange(m_paused, false);
  if (answers(question)) {
    if (paused) Q_EMIT changed();
    return;
  }
  m_job.cancel();
  m_question = std::move(question);
  m_delay.start();
  m_stale = m_found != nullptr;
  Q_EMIT changed();
}

void SuggestionRunner::pause(const Question& question) {
  m_delay.stop();
  m_job.cancel();
  m_stale = m_found != nullptr && !answers(question);
  m_question = question;
  m_paused = true;
  Q_EMIT changed();
}

void SuggestionRunner::clear() {
  m_delay.stop();
  m_job.cancel();
  m_question.reset();
  m_paused = false;
  set(nullptr);
}

void SuggestionRunner::run() {
  m_job.start(
      [this, question = *m_question](const std::atomic<bool>& canceled) -> std::function<void()> {
        workBehindTheWindow();
        const auto answer = suggestionsFor(*question.experiment, question.variant,
                                           question.costs.get(), [&canceled] { return !canceled; });
        PlanSuggestionsPtr found = answer ? *answer : nullptr;
        return [this, found = std::move(found)] { set(found); };
      });
}

void SuggestionRunner::set(PlanSuggestionsPtr found) {
  m_found = std::move(found);
  m_stale = false;
  Q_EMIT changed();
}

}  // namespace stagelane::ui
