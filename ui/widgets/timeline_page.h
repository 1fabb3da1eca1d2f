#pragma once

/// The Timeline page: what happened in one step of the current variant, per device, beside what was
/// predicted. Puts together toolbar, minimap, view and bottom panel; shows the measured trace, or
/// the predicted one alone until there is a measurement.

#include "ui/models/timeline_tables.h"
#include "ui/widgets/page.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QPushButton;
class QStackedWidget;
class QTableView;
class QToolButton;
class QTabWidget;
class QSplitter;

namespace stagelane::ui {

class Badge;
class TimelineLegend;
class TimelineMinimap;
class TimelineView;

class TimelinePage final : public Page {
  Q_OBJECT

 public:
  explicit TimelinePage(QWidget* parent = nullptr);
  void setSession(Session* session) override;
  [[nodiscard]] QList<QAction*> pageActions() const override { return m_actions; }
  [[nodiscard]] QWidget* statusWidget() override;

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  QWidget* buildToolbar();
  QWidget* buildSelectionPanel();
  QWidget* buildEmptyState();
  void buildActions();
  void placePanels(bool wide);
  void reload();
  void fillSteps();
  void showStep(int index);
  void showSelection();
  void updateHeadline();
  void exportPicture();
  void applyTheme();

  Session* m_session = nullptr;
  trace::TracePtr m_trace;
  TimelineDataPtr m_data;
  QList<QAction*> m_actions;
  QStackedWidget* m_stack = nullptr;
  QComboBox* m_steps = nullptr;
  QCheckBox* m_predicted = nullptr;
  Badge* m_badge = nullptr;
  QLabel* m_headline = nullptr;
  QToolButton* m_export = nullptr;
  TimelineMinimap* m_minimap = nullptr;
  TimelineView* m_view = nullptr;
  TimelineLegend* m_legend = nullptr;
  QSplitter* m_splitter = nullptr;
  QSplitter* m_panels = nullptr;
  QTabWidget* m_tabs = nullptr;
  QWidget* m_selectionPanel = nullptr;
  QLabel* m_selectionTitle = nullptr;
  QLabel* m_selectionText = nullptr;
  QPushButton* m_zoomToSelection = nullptr;
  QPushButton* m_copySentence = nullptr;
  QTableView* m_causes = nullptr;
  QTableView* m_events = nullptr;
  IdleCauseModel m_causeModel;
  StepEventsModel m_eventModel;
};

}  // namespace stagelane::ui
