#include "ui/models/suggestion_runner.h"

#include <utility>

namespace stagelane::ui {
namespace {

constexpr int kDelayMs = 150;  ///< edits in a row are one question

}  // namespace

SuggestionRunner::SuggestionRunner(QObject* parent) : QObject(parent) {
  m_delay.setSingleShot(true);
  m_delay.setInterval(kDelayMs);
  connect(&m_delay, &QTimer::timeout, this, &SuggestionRunner::run);
}

void SuggestionRunner::start(Experiment experiment, plan::Variant variant, Costs costs) {
  m_job.cancel();
  m_question = Question{std::move(experiment), std::move(variant), std::move(costs)};
  m_delay.start();
  set(nullptr);
}

void SuggestionRunner::clear() {
  m_delay.stop();
  m_job.cancel();
  m_question.reset();
  set(nullptr);
}

void SuggestionRunner::run() {
  m_job.start(
      [this, question = *m_question](const std::atomic<bool>& canceled) -> std::function<void()> {
        const auto answer = suggestionsFor(*question.experiment, question.variant,
                                           question.costs.get(), [&canceled] { return !canceled; });
        PlanSuggestionsPtr found = answer ? *answer : nullptr;
        return [this, found = std::move(found)] { set(found); };
      });
}

void SuggestionRunner::set(PlanSuggestionsPtr found) {
  m_found = std::move(found);
  Q_EMIT changed();
}

}  // namespace stagelane::ui
