#include "ui/plan/plan_model/kind_runner.h"

#include <utility>

#include "ui/kit/background.h"

namespace stagelane::ui {

KindRunner::KindRunner(const SuggestionRunner* suggestions, QObject* parent)
    : QObject(parent), m_suggestions(suggestions) {
  connect(suggestions, &SuggestionRunner::changed, this, &KindRunner::follow);
}

KindRunner::~KindRunner() {
  if (m_stop) *m_stop = true;
}

KindRunner::Source KindRunner::now() const {
  const auto& question = m_suggestions->question();
  return question ? Source{question->experiment, question->costs} : Source{};
}

bool KindRunner::stale() const { return m_found != nullptr && m_foundOf != now(); }

bool KindRunner::waiting() const {
  return m_wanted && m_suggestions->running() && m_asked != now();
}

void KindRunner::setWanted(bool wanted) {
  if (wanted == std::exchange(m_wanted, wanted)) return;
  if (!wanted && m_job.running()) drop();
  follow();
}

/// Ends the search without results; it can be started again.
void KindRunner::drop() {
  *m_stop = true;
  m_job.cancel();
  m_asked = {};
}

void KindRunner::follow() {
  const Source source = now();
  if (m_job.running() && (m_asked != source || m_suggestions->paused())) drop();
  if (!source.experiment) {
    m_found.reset();
    m_error.reset();
    m_asked = {};
  } else if (m_wanted && m_asked != source && !m_suggestions->running() &&
             !m_suggestions->paused()) {
    start();
  }
  Q_EMIT changed();
}

void KindRunner::start() {
  m_asked = now();
  m_progress = {};
  m_error.reset();
  m_stop = std::make_shared<std::atomic<bool>>(false);
  const PlanSuggestionsPtr suggestions = m_suggestions->stale() ? nullptr : m_suggestions->found();
  m_job.start([this, source = m_asked, suggestions,
               stop = m_stop](const std::atomic<bool>& canceled) -> std::function<void()> {
    workBehindTheWindow();
    KindQuestion question;
    question.experiment = source.experiment.get();
    question.costs = source.costs.get();
    question.suggestions = suggestions;
    question.goesOn = [&canceled, &stop] { return !canceled && !*stop; };
    question.progress = [this, &stop](const search::KindsProgress& progress) {
      QMetaObject::invokeMethod(
          this,
          [this, progress, stop] {
            if (stop != m_stop || !m_job.running()) return;
            m_progress = progress;
            Q_EMIT progressed();
          },
          Qt::QueuedConnection);
    };
    auto found = kindPlansFor(question);
    return [this, source, found = std::move(found)] { answer(source, found); };
  });
}

void KindRunner::answer(const Source& source, const Result<KindPlansPtr>& found) {
  if (found) {
    m_found = *found;
    m_foundOf = source;
  } else {
    m_found.reset();
    m_error = found.error();
  }
  Q_EMIT changed();
}

void KindRunner::cancel() {
  if (m_job.running()) *m_stop = true;
}

void KindRunner::restart() {
  if (m_job.running()) return;
  m_asked = {};
  follow();
}

}  // namespace stagelane::ui
