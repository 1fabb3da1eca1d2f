#pragma once

/// Works out what would make the plan faster, in another thread, a moment after the last edit. What
/// it found for an older plan is gone as soon as a newer one is asked about.

#include <QObject>
#include <QTimer>
#include <memory>
#include <optional>

#include "ui/models/latest_job.h"
#include "ui/models/plan_suggestions.h"

namespace stagelane::ui {

class SuggestionRunner final : public QObject {
  Q_OBJECT

 public:
  using Experiment = std::shared_ptr<const plan::Experiment>;
  using Costs = std::shared_ptr<const predict::CostTable>;

  explicit SuggestionRunner(QObject* parent = nullptr);

  void start(Experiment experiment, plan::Variant variant, Costs costs);
  void clear();
  /// Null until they are known.
  [[nodiscard]] PlanSuggestionsPtr found() const { return m_found; }
  [[nodiscard]] bool running() const { return m_delay.isActive() || m_job.running(); }

 Q_SIGNALS:
  void changed();

 private:
  struct Question {
    Experiment experiment;
    plan::Variant variant;
    Costs costs;
  };
  void run();
  void set(PlanSuggestionsPtr found);

  QTimer m_delay;
  LatestJob m_job;
  std::optional<Question> m_question;
  PlanSuggestionsPtr m_found;
};

}  // namespace stagelane::ui
