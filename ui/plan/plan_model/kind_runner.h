#pragma once

/// Searches for the best plan of each kind in another thread, after the suggestions for the same
/// plan are known and while somebody shows it. Results for an older experiment or older costs stay,
/// marked stale, until the new ones arrive. A canceled search keeps the kinds that it has found.

#include <QObject>
#include <atomic>
#include <memory>
#include <optional>

#include "ui/kit/latest_job.h"
#include "ui/plan/plan_model/suggestion_runner.h"
#include "ui/session/prediction/kind_plans.h"

namespace stagelane::ui {

class KindRunner final : public QObject {
  Q_OBJECT

 public:
  /// @pre `suggestions` outlive this
  explicit KindRunner(const SuggestionRunner* suggestions, QObject* parent = nullptr);
  ~KindRunner() override;

  /// Whether the results are shown; nothing is searched for otherwise.
  void setWanted(bool wanted);
  /// Ends the search; the kinds found so far are kept.
  void cancel();
  /// Searches again after a cancel.
  void restart();

  /// Null until the first are known.
  [[nodiscard]] KindPlansPtr found() const { return m_found; }
  /// The results are for an older experiment or older costs.
  [[nodiscard]] bool stale() const;
  [[nodiscard]] bool running() const { return m_job.running(); }
  /// Waits for the suggestions, whose plans are candidates.
  [[nodiscard]] bool waiting() const;
  /// Of the running search.
  [[nodiscard]] const search::KindsProgress& progress() const { return m_progress; }
  /// Why there are no results; empty if there are, or while there is no answer.
  [[nodiscard]] const std::optional<Error>& error() const { return m_error; }

 Q_SIGNALS:
  void changed();
  void progressed();

 private:
  /// What the results depend on.
  struct Source {
    SuggestionRunner::Experiment experiment;
    SuggestionRunner::Costs costs;
    friend bool operator==(const Source&, const Source&) = default;
  };
  using Stop = std::shared_ptr<std::atomic<bool>>;

  [[nodiscard]] Source now() const;
  void follow();
  void drop();
  void start();
  void answer(const Source& source, const Result<KindPlansPtr>& found);

  const SuggestionRunner* m_suggestions;
  LatestJob m_job;
  Stop m_stop;       ///< of the running search
  Source m_asked;    ///< by the running or the last search
  Source m_foundOf;  ///< of the results
  bool m_wanted = false;
  search::KindsProgress m_progress;
  KindPlansPtr m_found;
  std::optional<Error> m_error;
};

}  // namespace stagelane::ui
