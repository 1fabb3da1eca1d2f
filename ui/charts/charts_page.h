#pragma once

/// The Charts page: a card per chart of a run, in two columns if there is room. Bars fill per
/// repeat during a run; a click on one opens that variant's median step in the Timeline.

#include <QElapsedTimer>
#include <QTimer>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/base/json.h"
#include "profiler/analysis/idle.h"
#include "ui/frame/page.h"
#include "ui/kit/latest_job.h"
#include "ui/plots/chart.h"
#include "ui/session/run/earlier_results.h"
#include "ui/session/run/run_history.h"

class QCheckBox;
class QGridLayout;
class QHBoxLayout;
class QLabel;
class QPushButton;
class QScrollArea;
class QStackedWidget;
class QToolButton;

namespace stagelane::ui {

class Session;

class ChartCard;
class Combo;
class LoadingPanel;

class ChartsPage final : public Page {
  Q_OBJECT

 public:
  explicit ChartsPage(QWidget* parent = nullptr);
  void setSession(Session* session) override;
  [[nodiscard]] QList<QAction*> pageActions() const override { return m_actions; }
  [[nodiscard]] bool busy() const override {
    return m_refresh.isActive() || m_fill.isActive() || m_predicting.running() || m_history.busy();
  }

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  QWidget* buildToolbar();
  QHBoxLayout* buildStyles(QWidget* bar);
  void buildExport(QWidget* bar);
  QWidget* buildEmptyState();
  void buildCards();
  void buildActions();
  void refresh();
  /// Updates all cards at once; during a run one card per turn of the event loop, so that no turn
  /// draws all of them.
  void fillCards();
  void fillNext();
  void markCurrent();
  void refreshRuns();
  void chooseRun();
  void refreshExports();
  void refreshEmptyState();
  [[nodiscard]] QString newestRun() const;
  /// Predicts the run's pipelines in another thread, once per run.
  void predict();
  void placeCards();
  void openVariant(const QString& variantId);
  /// Shows or hides the cause on both pages that show idle causes.
  void toggleCause(analysis::Cause cause);
  void exportChartOf(ChartKind kind);
  [[nodiscard]] ChartOptions options() const;

  Session* m_session = nullptr;
  LatestJob m_predicting;
  std::shared_ptr<const Json> m_predictedFor;
  std::map<std::string, double> m_predicted;  ///< time of a repeat in seconds, by variant
  RunHistory m_history;                       ///< lists the other runs that can be shown
  QTimer m_refresh;  ///< results come in bursts; drawn at most 30 times a second
  QTimer m_fill;     ///< one card per turn of the event loop
  std::size_t m_nextCard = 0;
  bool m_again = false;  ///< results arrived while cards were being filled
  RunResultPtr m_run;    ///< the run that the cards show
  QElapsedTimer m_sinceFill;
  QStackedWidget* m_stack = nullptr;
  QScrollArea* m_scroll = nullptr;
  QGridLayout* m_grid = nullptr;
  int m_columns = 0;
  std::vector<ChartCard*> m_cards;
  QToolButton* m_stagelane = nullptr;
  QToolButton* m_tutorial = nullptr;
  QCheckBox* m_repeats = nullptr;
  QToolButton* m_export = nullptr;
  std::vector<std::pair<ChartKind, QAction*>> m_exports;  ///< shared by menu and palette
  Combo* m_runs = nullptr;
  LoadingPanel* m_loading = nullptr;
  QLabel* m_emptyText = nullptr;
  QPushButton* m_emptyButton = nullptr;
  QList<QAction*> m_actions;
};

}  // namespace stagelane::ui
