#pragma once

/// Sweeps in the window: creates them from the session's document, runs them, and updates the
/// session's view of them. Shows nothing itself.

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>
#include <functional>
#include <map>
#include <memory>
#include <optional>

#include "app/engine_client/connection_teller.h"
#include "app/engine_client/sweep_runner.h"
#include "engine/base/goes_on.h"
#include "engine/base/json.h"
#include "ui/kit/latest_job.h"
#include "ui/session/run/run_state.h"
#include "ui/session/run/sweep_view.h"

namespace stagelane::ui {
class Session;
}  // namespace stagelane::ui

namespace stagelane::app {

class SweepController final : public QObject {
  Q_OBJECT

 public:
  explicit SweepController(ui::Session* session, QObject* parent = nullptr);

  [[nodiscard]] bool running() const { return m_runner.running(); }

 Q_SIGNALS:
  void message(const QString& text);
  /// The sweep is accepted, so its typed values are no longer needed.
  void started();

 private:
  void create(const plan::SweepSpec& spec);
  void goOn(const QString& folder);
  void cancel(const QString& folder);
  void tellProblem(const QString& problem);
  /// A sweep being created or read in another thread. No other may start in the meantime.
  struct Prepared {
    workspace::Sweep sweep;
    std::shared_ptr<ui::SweepPredictions> predictions;
  };
  using Preparing =
      std::function<Result<Prepared>(std::shared_ptr<ui::SweepPredictions>, const GoesOn&)>;
  void prepare(Preparing work);
  void onPrepared(Result<Prepared> prepared);
  void start(Prepared prepared);
  /// A sweep without predictions, with the session's costs.
  [[nodiscard]] std::shared_ptr<ui::SweepPredictions> predictions() const;
  void onEvent(const Json& event);
  void onFinished(const std::optional<Error>& error);
  void findUnfinished();
  void refresh();
  void publish(ui::SweepView view);
  [[nodiscard]] QString nameOf(const std::string& variantId) const;

  ui::Session* m_session;
  SweepRunner m_runner;
  ui::LatestJob m_making;
  ui::LatestJob m_viewing;
  std::shared_ptr<ui::SweepPredictions> m_predictions = std::make_shared<ui::SweepPredictions>();
  std::optional<workspace::SweepWish> m_wish;  ///< requested during preparation
  std::map<std::string, QString> m_names;      ///< of the current task's variants, by id
  QString m_problem;                           ///< why the sweep was rejected or interrupted
  ui::RunProgress m_turn;                      ///< published with the points
  QTimer m_refresh;
  ConnectionTeller m_connection;
  QElapsedTimer m_elapsed;
  int m_repeatsAtStart = -1;
};

}  // namespace stagelane::app
