#pragma once

/// The Timeline page: one step of the current variant, or of a trace file, per device, beside its
/// prediction. Chooses the step, has it prepared in another thread, and passes it to toolbar,
/// minimap, view and panels. Shows the predicted step until there is a measurement.

#include "engine/trace/trace.h"
#include "ui/frame/page.h"
#include "ui/kit/latest_job.h"
#include "ui/timeline/prepared_step.h"
#include "ui/timeline/shown_trace.h"

class QLabel;
class QStackedWidget;

namespace stagelane::ui {

class Banner;
class LoadingCard;
class TimelineFinder;
class TimelineLegend;
class TimelineMinimap;
class TimelinePanels;
class TimelineSkeleton;
class TimelineToolbar;
class TimelineView;
class TraceBanner;

class TimelinePage final : public Page {
  Q_OBJECT

 public:
  explicit TimelinePage(QWidget* parent = nullptr);
  ~TimelinePage() override;
  void setSession(Session* session) override;
  [[nodiscard]] QList<QAction*> pageActions() const override;
  [[nodiscard]] QWidget* statusWidget() override;
  [[nodiscard]] bool busy() const override;
  /// A file that was to replace the shown trace cannot be read. The banner says so until it is
  /// dismissed. Empty: no such file.
  void tellRefused(const QString& name, const QString& why);

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void buildLayout();
  void placeBars();
  QWidget* buildEmptyState();
  QWidget* buildLoadingState();
  void connectToolbar();
  void connectView();
  void connectPanels();
  void connectSession();
  void buildActions();
  void shareKeys();
  void reload();
  /// Whether the user is inspecting a step during a run, so that it must not be replaced.
  [[nodiscard]] bool studied() const;
  void showStep(int index);
  void showPrepared(const PreparedStep& prepared);
  void showArea();
  void updateHeadline();
  void updatePoints();
  void updateState();
  void stopWaiting();
  void markCause(analysis::Cause cause);
  void exportTimeline();
  void applyTheme();

  Session* m_session = nullptr;
  ShownTrace m_trace;
  PreparedStep m_shown;
  LatestJob m_stepJob;
  QList<QAction*> m_actions;
  QAction* m_stopWaiting = nullptr;
  TimelineToolbar* m_toolbar = nullptr;
  TraceBanner* m_banner = nullptr;
  Banner* m_runBanner = nullptr;
  QStackedWidget* m_stack = nullptr;
  TimelineSkeleton* m_skeleton = nullptr;
  LoadingCard* m_loading = nullptr;
  QLabel* m_emptyText = nullptr;
  TimelineMinimap* m_minimap = nullptr;
  TimelineView* m_view = nullptr;
  TimelineLegend* m_legend = nullptr;
  TimelinePanels* m_panels = nullptr;
  TimelineFinder* m_finder = nullptr;
};

}  // namespace stagelane::ui
