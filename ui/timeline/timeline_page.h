#pragma once

/// The Timeline page: what happened in one step of the current variant (or of a trace opened by
/// itself), per device, beside what was predicted. Wires toolbar, minimap, view and bottom panel;
/// steps, searches and areas are made ready in other threads. Shows the predicted step alone until
/// there is a measurement.

#include <QElapsedTimer>
#include <optional>
#include <utility>
#include <vector>

#include "engine/trace/trace.h"
#include "ui/frame/page.h"
#include "ui/kit/latest_job.h"
#include "ui/timeline/event_table.h"
#include "ui/timeline/timeline_search.h"
#include "ui/timeline/timeline_tables.h"
#include "ui/timeline/trace_overview.h"

class QLabel;
class QPushButton;
class QProgressBar;
class QSplitter;
class QStackedWidget;
class QTabWidget;

namespace stagelane::ui {

class Session;

class Badge;
class Banner;
class IdleCauseTable;
class TimelineEvents;
class TimelineLegend;
class TimelineMinimap;
class TimelineSelection;
class TimelineSkeleton;
class TimelineToolbar;
class TimelineView;

class TimelinePage final : public Page {
  Q_OBJECT

 public:
  explicit TimelinePage(QWidget* parent = nullptr);
  ~TimelinePage() override;
  void setSession(Session* session) override;
  [[nodiscard]] QList<QAction*> pageActions() const override;
  [[nodiscard]] QWidget* statusWidget() override;
  [[nodiscard]] bool busy() const override;
  /// A file that cannot be read was to take the place of the trace that is shown, which stays; the
  /// banner says so until it is dismissed. Empty: no such file.
  void tellRefused(const QString& name, const QString& why);

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  /// A step made ready, with all steps of its trace.
  struct Prepared {
    std::vector<trace::Step> steps;
    int index = -1;
    int median = -1;
    trace::LaneIndexPtr lanes;
    TimelineDataPtr data;
    TraceOverview overview;
    EventListPtr events;
    std::optional<std::size_t> withOperators;  ///< another step, where this one has none
    bool named = false;                        ///< the trace says where its steps are
    bool wholeToo = false;                     ///< after them the whole trace can be chosen
  };
  /// What a step is made from.
  struct Source {
    trace::TracePtr trace, predicted;
    trace::LaneIndexPtr lanes;
    TimelineNotes notes;
    int index = -1;        ///< −1: the median step; kLastStep: the last one
    bool foreign = false;  ///< beside its steps the whole trace can be chosen
  };
  static constexpr int kLastStep = 1 << 30;
  [[nodiscard]] static Prepared prepare(const Source& source);

  static constexpr int kWidePage = 1200;  ///< panels side by side from here on
  static constexpr int kHintWidth = 260;  ///< what the legend leaves to the hints beside it

  void buildLayout();
  void placeBars();
  QWidget* buildUpper();
  QWidget* buildLower();
  QWidget* buildEmptyState();
  QWidget* buildLoadingState();
  void connectToolbar();
  void connectView();
  void connectSession();
  void buildActions();
  void shareKeys();
  void placePanels(bool wide);
  void reload();
  /// While a run goes on: someone looks into a step, which must not be exchanged under them.
  [[nodiscard]] bool studied() const;
  [[nodiscard]] TimelineNotes notesOfTrace() const;
  void showStep(int index);
  void showPrepared(const Prepared& prepared);
  void showSelection();
  void showArea();
  void searchFor(const QString& text);
  void stepMatch(int direction);
  [[nodiscard]] std::pair<TimeNs, bool> foretold() const;
  void updateHeadline();
  void updatePoints();
  void updateState();
  /// What was measured of the variant is being read.
  [[nodiscard]] bool measuredComing() const;
  void stopWaiting();
  void updateBanner();
  void updateEventsNote();
  void markCause(int row);
  void fitCauses();
  void exportTimeline();
  void applyTheme();

  Session* m_session = nullptr;
  trace::TracePtr m_trace, m_predictedBeside;
  trace::LaneIndexPtr m_lanes;
  TimelineDataPtr m_data;
  QString m_failure, m_refused, m_whyRefused;
  QString m_subject;     ///< whose trace: a file's path or a variant's id
  int m_shownStep = -1;  ///< as chosen: of the steps, or behind them
  bool m_shownIsMedian = false;
  SearchResultPtr m_found;
  LatestJob m_stepJob, m_searchJob, m_areaJob;
  QList<QAction*> m_actions;
  TimelineToolbar* m_toolbar = nullptr;
  Banner* m_banner = nullptr;
  Banner* m_runBanner = nullptr;
  std::optional<std::size_t> m_withOperators;
  QStackedWidget* m_stack = nullptr;
  TimelineSkeleton* m_skeleton = nullptr;
  QElapsedTimer m_sinceLoading;
  QLabel* m_emptyText = nullptr;
  QLabel* m_loadingText = nullptr;
  QPushButton* m_cancel = nullptr;
  QAction* m_stopWaiting = nullptr;
  QProgressBar* m_loadingBar = nullptr;
  TimelineMinimap* m_minimap = nullptr;
  TimelineView* m_view = nullptr;
  TimelineLegend* m_legend = nullptr;
  QSplitter* m_splitter = nullptr;
  QSplitter* m_panels = nullptr;
  QTabWidget* m_tabs = nullptr;
  TimelineSelection* m_selection = nullptr;
  IdleCauseTable* m_causes = nullptr;
  TimelineEvents* m_events = nullptr;
  QWidget* m_causesNote = nullptr;
  QWidget* m_eventsTop = nullptr;
  QLabel* m_eventsNote = nullptr;
  Badge* m_lost = nullptr;
  IdleCauseModel m_causeModel;
};

}  // namespace stagelane::ui
