#pragma once

/// Searches for faster plans in another thread, shortly after the last edit. Results for an older
/// plan stay, marked stale, until the new ones arrive.

#include <QObject>
#include <QTimer>
#include <memory>
#include <optional>

#include "ui/kit/latest_job.h"
#include "ui/session/prediction/plan_suggestions.h"

namespace stagelane::ui {

class SuggestionRunner final : public QObject {
  Q_OBJECT

 public:
  using Experiment = std::shared_ptr<const plan::Experiment>;
  using Costs = std::shared_ptr<const predict::CostTable>;

  explicit SuggestionRunner(QObject* parent = nullptr);

  /// The plan to improve.
  struct Question {
    Experiment experiment;
    plan::Variant variant;
    Costs costs;
  };
  void start(Question question);
  /// Pauses the search during a measurement; `start` resumes it.
  void pause(const Question& question);
  void clear();
  /// What was asked last; nothing after `clear`.
  [[nodiscard]] const std::optional<Question>& question() const { return m_question; }
  /// Null until the first are known.
  [[nodiscard]] PlanSuggestionsPtr found() const { return m_found; }
  /// The results are for an older plan.
  [[nodiscard]] bool stale() const { return m_stale; }
  /// During a measurement.
  [[nodiscard]] bool paused() const { return m_paused; }
  [[nodiscard]] bool running() const { return m_delay.isActive() || m_job.running(); }

 Q_SIGNALS:
  void changed();

 private:
  void run();
  void set(PlanSuggestionsPtr found);
  /// Whether the results answer this request.
  [[nodiscard]] bool answers(const Question& question) const;

  QTimer m_delay;
  LatestJob m_job;
  std::optional<Question> m_question;
  PlanSuggestionsPtr m_found;
  bool m_stale = false;
  bool m_paused = false;
};

}  // namespace stagelane::ui
