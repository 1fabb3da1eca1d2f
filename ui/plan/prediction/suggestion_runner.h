#pragma once

/// Works out what would make the plan faster, in another thread, a moment after the last edit. What
/// it found for an older plan stays, stale, until the newer one's answer is there.

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

  /// The plan that is asked about.
  struct Question {
    Experiment experiment;
    plan::Variant variant;
    Costs costs;
  };
  void start(Question question);
  /// Searches for nothing, because something is being measured; `start` goes on.
  void pause(const Question& question);
  void clear();
  /// Null until the first are known.
  [[nodiscard]] PlanSuggestionsPtr found() const { return m_found; }
  /// What was found is of an older plan.
  [[nodiscard]] bool stale() const { return m_stale; }
  [[nodiscard]] bool running() const { return m_delay.isActive() || m_job.running(); }

 Q_SIGNALS:
  void changed();

 private:
  void run();
  void set(PlanSuggestionsPtr found);
  /// Whether what was found is the answer to this.
  [[nodiscard]] bool answers(const Question& question) const;

  QTimer m_delay;
  LatestJob m_job;
  std::optional<Question> m_question;
  PlanSuggestionsPtr m_found;
  bool m_stale = false;
};

}  // namespace stagelane::ui
